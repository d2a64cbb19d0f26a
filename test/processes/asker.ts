import { CommandModel } from '../../src/adapters/model/command/command.ts';

/** Asks a headless client and waits for its answer, or for its own end. */
const [cwd = '', command = ''] = process.argv.slice(2);
void new CommandModel({ command, cwd, env: {}, timeoutMs: 60_000, limitBytes: 1000 }).complete({ model: '', system: '', prompt: '', maxTokens: 1 });
