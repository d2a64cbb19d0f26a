import { giveFeedback } from '../../../../app/recall/feedback.ts';
import { VERDICTS, type Verdict } from '../../../../core/ports/injection-log.ts';
import { ok, refuse } from '../../../../core/result.ts';
import type { Command } from '../../command.ts';
import { inert } from '../../paint.ts';

const isVerdict = (word: string | undefined): word is Verdict => (VERDICTS as readonly (string | undefined)[]).includes(word);

export const feedbackCommand: Command = {
  name: 'feedback',
  about: 'Says whether a record that was recalled helped. Useful ones come sooner, wrong and outdated ones later or not at all.',
  positionals: 'ID useful|wrong|outdated',
  most: 2,
  options: [
    { name: 'retire', about: 'take a wrong or outdated record out of use as well' },
    { name: 'session', value: 'S', about: 'the session it was recalled in' },
    { name: 'user', about: 'a record of your own memory' },
  ],
  examples: [
    ['holdfast feedback use-sqlite useful', 'it helped'],
    ['holdfast feedback decision/use-sqlite outdated --retire', 'it is no longer true: out of use'],
  ],
  run: async (cli, args) => {
    const [name, verdict] = args.positionals;
    if (name === undefined || !isVerdict(verdict))
      return refuse('USAGE_ERROR', `feedback takes an id and one of ${VERDICTS.join(', ')}`, { hint: 'holdfast feedback --help' });
    const { memory } = await cli.open(args.flag('user') ? 'user' : 'project');
    const { log } = await cli.bearings();
    const session = args.text('session');
    const said = await giveFeedback(memory, log, { name, verdict, retire: args.flag('retire'), ...(session !== undefined && { session }) });
    if (!said.ok) return said;
    const { id, title, verdicts, retired } = said.value;
    return ok({
      json: { ok: true, id, title, verdict, verdicts, retired: retired?.record.record_status === 'retired' },
      lines: [
        `${cli.paint.green('noted')} ${cli.paint.bold(inert(id))} is ${verdict}${retired ? ', and retired' : ''}`,
        `  ${cli.paint.dim(VERDICTS.map((word) => `${verdicts[word]} ${word}`).join(', '))}`,
      ],
    });
  },
};
