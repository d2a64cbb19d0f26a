import { ok } from '../../../../core/result.ts';
import type { Command } from '../../command.ts';

const IDLE_MINUTES = 60;

export const viewCommand: Command = {
  name: 'view',
  about:
    'Opens a page in your browser that shows what your agent was given and why, what waits for review, and everything that is remembered, and lets you correct it. It answers this machine only and ends with its terminal. A second start shows the link again in the terminal of the first.',
  positionals: '',
  most: 0,
  options: [
    { name: 'port', value: 'N', about: 'listen on this port (default: a free one)' },
    { name: 'idle', value: 'MINUTES', about: `end after so many minutes without use (default ${IDLE_MINUTES}; 0: never)` },
    { name: 'no-open', about: 'only print the link' },
  ],
  examples: [
    ['holdfast view', 'the memory of this project, in your browser'],
    ['holdfast view --no-open --port 7777', 'for a tunnel: ssh -L 7777:127.0.0.1:7777 host'],
  ],
  run: async (cli, args) => {
    const [port, idle] = [args.number('port', { min: 0, max: 65_535 }), args.number('idle', { min: 0, max: 10_000 })];
    if (!port.ok) return port;
    if (!idle.ok) return idle;
    const request = {
      port: port.value ?? 0,
      idleMinutes: idle.value ?? IDLE_MINUTES,
      opens: !args.flag('no-open') && !args.flag('json'),
      json: args.flag('json'),
    };
    const result = await cli.view(request);
    return result.ok ? ok({ json: [], stream: true, lines: [] }) : result;
  },
};
