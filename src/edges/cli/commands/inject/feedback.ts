import { giveFeedback } from '../../../../app/recall/feedback.ts';
import { VERDICTS, type FeedbackVerdict } from '../../../../core/ports/injection-log.ts';
import { ok, refuse } from '../../../../core/result.ts';
import type { Command } from '../../command.ts';
import { inert } from '../../paint.ts';

const isVerdict = (word: string | undefined): word is FeedbackVerdict => (VERDICTS as readonly (string | undefined)[]).includes(word);

export const feedbackCommand: Command = {
  name: 'feedback',
  about:
    'Marks a recalled record or quotation as useful, wrong or outdated. Useful records rank higher; what is marked wrong or outdated is no longer injected, and such records rank lower in a search.',
  positionals: 'ID useful|wrong|outdated',
  most: 2,
  options: [
    { name: 'retire', about: 'also retire a wrong or outdated record' },
    { name: 'session', value: 'S', about: 'the session in which it was recalled' },
    { name: 'user', about: 'a record of your user memory' },
  ],
  examples: [
    ['holdfast feedback use-sqlite useful', 'it helped'],
    ['holdfast feedback decision/use-sqlite outdated --retire', 'no longer true; retire it'],
    ['holdfast feedback rule:1k9x0q2m7d wrong', 'never quote this sentence of an earlier prompt again; useful takes it back'],
    ['holdfast feedback 69a920a5 wrong', 'never quote this exchange again; holdfast why lists the ids'],
  ],
  run: async (cli, args) => {
    const [name, verdict] = args.positionals;
    if (name === undefined || !isVerdict(verdict))
      return refuse('USAGE_ERROR', `feedback needs an id and one of: ${VERDICTS.join(', ')}.`, { hint: 'holdfast feedback --help' });
    const { memory } = await cli.open(args.flag('user') ? 'user' : 'project');
    const { log, typedRules } = await cli.recallContext();
    const session = args.text('session');
    const result = await giveFeedback(memory, log, { name, verdict, retire: args.flag('retire'), ...(session !== undefined && { session }) }, typedRules);
    if (!result.ok) return result;
    const { id, title, verdicts, retired } = result.value;
    return ok({
      json: { ok: true, id, title, verdict, verdicts, retired: retired?.record.record_status === 'retired' },
      lines: [
        `${cli.paint.green('marked')} ${cli.paint.bold(inert(id))} as ${verdict}${retired ? ', and retired it' : ''}`,
        `  ${cli.paint.dim(VERDICTS.map((word) => `${verdicts[word]} ${word}`).join(', '))}`,
      ],
    });
  },
};
