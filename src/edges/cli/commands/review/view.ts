import { ok, type Result } from '../../../../core/result.ts';
import type { Arguments, Command } from '../../command.ts';

const IDLE_MINUTES = 60;

export const viewCommand: Command = {
  name: 'view',
  about:
    'Opens a page in your browser that shows what your agent was given and why, what waits for review, and everything that is remembered, and lets you correct it. It answers this machine only, and ends when you close its terminal. A second start prints the link of the first.',
  positionals: '',
  most: 0,
  options: [
    { name: 'port', value: 'N', about: 'listen on this port (default: a free one)' },
    { name: 'idle', value: 'MINUTES', about: `end after so long without use (default ${IDLE_MINUTES}; 0 never ends it)` },
    { name: 'no-open', about: 'print the link and do not open the browser' },
  ],
  examples: [
    ['holdfast view', 'the memory of this project, in your browser'],
    ['holdfast view --no-open --port 7777', 'for a tunnel: ssh -L 7777:127.0.0.1:7777 host'],
  ],
  run: async (cli, args) => {
    const [port, idle] = [args.number('port', { min: 0, max: 65_535 }), args.number('idle', { min: 0, max: 10_000 })];
    if (!port.ok) return port;
    if (!idle.ok) return idle;
    const request = { port: port.value ?? 0, idleMinutes: idle.value ?? IDLE_MINUTES, opens: opens(args), json: args.flag('json') };
    const result: Result<void> = await cli.view(request);
    return result.ok ? ok({ json: [], stream: true, lines: [] }) : result;
  },
};

const opens = (args: Arguments): boolean => !args.flag('no-open') && !args.flag('json');
