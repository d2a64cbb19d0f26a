import { ok, refuse } from '../../../../core/result.ts';
import { HOOK_EVENTS } from '../../../../app/hooks/call.ts';
import { HOOK_CLIENTS } from '../../../../app/hooks/client-dialect.ts';
import type { Command } from '../../command.ts';

export const hookCommand: Command = {
  name: 'hook',
  about: `Answers one event of a client's session, with the event's JSON on standard input: ${HOOK_EVENTS.join(', ')}. A failure is one line on standard error and exit code 0, so that the session continues.`,
  positionals: 'EVENT',
  most: 1,
  options: [{ name: 'client', value: 'C', choices: HOOK_CLIENTS, about: 'the client that sends the event (default claude-code)' }],
  examples: [
    ['holdfast hook SessionStart --client codex < event.json', 'what a session gets at its start'],
    ['holdfast hook UserPromptSubmit < event.json', 'what memory adds to a prompt'],
  ],
  run: async (cli, args) => {
    const [event] = args.positionals;
    if (event === undefined) return refuse('USAGE_ERROR', 'hook needs an event.', { hint: `events: ${HOOK_EVENTS.join(', ')}` });
    const answered = await cli.hook(event, args.text('client') ?? 'claude-code');
    return answered.ok ? ok({ json: [], stream: true, lines: [] }) : answered;
  },
};

export const mcpCommand: Command = {
  name: 'mcp',
  about: 'Serves memory to a client over MCP, on standard input and output, until the client exits.',
  positionals: '',
  most: 0,
  options: [],
  examples: [['holdfast mcp', 'started by the client; put this command into its settings']],
  run: async (cli) => {
    await cli.serve();
    return ok({ json: [], stream: true, lines: [] });
  },
};
