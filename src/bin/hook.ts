import { CLIENTS } from '../core/episode/episode.ts';
import { runEvent } from './wiring/session/run-event.ts';

/** One event of a client's session, as `hook.js EVENT [CLIENT]`; the event's JSON stands on standard input. */
export async function run(): Promise<void> {
  const [, , event = '', word] = process.argv;
  const client = CLIENTS.find((known) => known === word) ?? 'claude-code';
  const ran = await runEvent(event, { client, env: process.env, home: undefined });
  if (!ran.ok) process.stderr.write(`holdfast ${event} hook: ${ran.error.message}; the session goes on\n`);
  // Everything is written by now, and taking the process apart piece by piece would cost a millisecond.
  process.exit();
}
