import { type Brief, brief, BRIEF_EVENTS, type BriefEvent } from '../../../../app/recall/brief/brief.ts';
import { ok } from '../../../../core/result.ts';
import type { Command } from '../../command.ts';
import { inert } from '../../paint.ts';
import { contextForRecall, OPEN_FILE } from './open-files.ts';

/** The command that mutes a quoted sentence, which has no record to retire. */
function quotedRules(items: Brief['items']): readonly string[] {
  const rules = items.filter(({ id }) => id.startsWith('rule:'));
  return rules.length === 0
    ? []
    : ['holdfast feedback ID wrong: that sentence is not quoted again', ...rules.map(({ id, title }) => `  ${id}  ${inert(title)}`)];
}

export const briefCommand: Command = {
  name: 'brief',
  about: 'Shows what an agent gets when a session starts or after a compaction. Empty if the project has no memory.',
  positionals: '',
  most: 0,
  options: [
    { name: 'event', value: 'E', choices: BRIEF_EVENTS, about: 'how the session starts' },
    { name: 'session', value: 'S', about: 'make the brief for this session: it contains the session id, and is logged' },
    OPEN_FILE,
  ],
  examples: [
    ['holdfast brief', 'what a new session gets'],
    ['holdfast brief --event compact --session 3f2a', 'what a session gets after a compaction'],
    ['holdfast brief --json', 'for scripts: text, tokens and items'],
  ],
  run: async (cli, args) => {
    const [event, session] = [(args.text('event') ?? 'startup') as BriefEvent, args.text('session')];
    const { memory } = await cli.open();
    const { text, tokens, items } = await brief(memory, await contextForRecall(cli, args), { event, ...(session !== undefined && { session }) });
    return ok({ json: { event, text, tokens, items }, ...(text !== '' && { block: inert(text) }), lines: quotedRules(items) });
  },
};
