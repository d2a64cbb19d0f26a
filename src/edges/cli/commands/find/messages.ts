import type { Episodes, FoundEpisode, FoundMessage } from '../../../../app/episodes/episodes.ts';
import { messagesOf } from '../../../../app/episodes/read.ts';
import type { Message } from '../../../../core/episode/episode.ts';
import { ok, refuse, type Result } from '../../../../core/result.ts';
import type { Cli, Command } from '../../command.ts';
import { shownTime } from '../../instant.ts';
import { inert } from '../../paint.ts';

const AROUND = 5;

export const messagesCommand: Command = {
  name: 'messages',
  about: 'Prints the messages of a session, or those around one message. They come from the archive, so the transcript is not needed.',
  positionals: '',
  most: 0,
  options: [
    { name: 'session', value: 'S', about: 'the session, by its id or the start of its id' },
    { name: 'around', value: 'MESSAGE', about: 'only this message and its neighbours; needs no --session' },
    { name: 'before', value: 'N', about: `number of messages before it (default ${AROUND})` },
    { name: 'after', value: 'N', about: `number of messages after it (default ${AROUND})` },
  ],
  examples: [
    ['holdfast messages --session 8fd17d3d --json', 'the whole session'],
    ['holdfast messages --around 0b1c2d3e --before 2 --after 10', 'the messages around a search hit'],
  ],
  run: async (cli, args) => {
    const word = args.text('session');
    const messageId = args.text('around');
    if (word === undefined && messageId === undefined)
      return refuse('USAGE_ERROR', 'messages needs --session or --around.', { hint: 'holdfast timeline lists sessions' });
    const [before, after] = [args.number('before', { min: 0 }), args.number('after', { min: 0 })];
    if (!before.ok) return before;
    if (!after.ok) return after;
    const found = await place(await cli.episodes(), word, messageId);
    if (!found.ok) return found;
    const { project, session, episode, messageId: around } = found.value;
    const messages = messagesOf(episode, { before: before.value ?? AROUND, after: after.value ?? AROUND, ...(around !== undefined && { around }) });
    if (!messages.ok) return messages;
    const { messages: shown, earlier, later } = messages.value;
    return ok({
      json: {
        session_id: session.facts.sessionId,
        project,
        ...(session.facts.title !== undefined && { title: session.facts.title }),
        earlier,
        later,
        messages: shown.map(jsonOf),
      },
      lines: shown.flatMap((message) => linesOf(message, cli)),
      warnings: episode.whole
        ? []
        : ['Part of this session is missing: its text was dropped to free space (archive.maxBytes), and its transcript no longer exists.'],
    });
  },
};

/** A whole session, or the one that a message stands in. */
async function place(episodes: Episodes, session: string | undefined, message: string | undefined): Promise<Result<FoundEpisode & Partial<FoundMessage>>> {
  if (session === undefined) return episodes.findMessage(message ?? '');
  const found = await episodes.find(session);
  return found.ok && message !== undefined ? ok({ ...found.value, messageId: message }) : found;
}

const jsonOf = (message: Message): object => ({
  message_id: message.id,
  role: message.role,
  timestamp: message.at ?? null,
  text: message.text,
  ...(message.speaker !== undefined && { speaker: message.speaker }),
  ...(message.agentId !== undefined && { agent_id: message.agentId }),
  ...(message.thinking !== undefined && { thinking: message.thinking }),
  ...(message.toolCalls !== undefined && { tool_calls: message.toolCalls.map(({ name, input, files }) => ({ name, input, files })) }),
  ...(message.failed === true && { failed: true }),
});

function linesOf(message: Message, { paint }: Cli): string[] {
  const who = message.speaker ?? (message.agentId === undefined ? message.role : `${message.role} (subagent)`);
  const calls = (message.toolCalls ?? []).map(({ name, input }) => paint.dim(inert(`[${name}] ${input.split('\n', 1)[0] ?? ''}`)));
  const text = message.text === '' ? [] : [message.role === 'tool' ? paint.dim(inert(message.text)) : inert(message.text)];
  return [`${paint.bold(inert(who))}  ${paint.dim(`${message.at === undefined ? '' : shownTime(message.at)}  ${inert(message.id)}`)}`, ...text, ...calls, ''];
}
