import type { Injection } from '../../../../core/ports/injection-log.ts';
import { ok } from '../../../../core/result.ts';
import type { Cli, Command } from '../../command.ts';
import { shownTime } from '../../instant.ts';
import { inert } from '../../paint.ts';

const LIMIT = 20;

export const whyCommand: Command = {
  name: 'why',
  about: 'Shows what was injected, when, and which signals chose it; newest first.',
  positionals: '',
  most: 0,
  options: [
    { name: 'session', value: 'S', about: 'only this session' },
    { name: 'limit', value: 'N', about: `maximum number of injections (default ${LIMIT})` },
  ],
  examples: [
    ['holdfast why', 'the latest injections in this project'],
    ['holdfast why --session 3f2a --json', 'everything that one session got'],
  ],
  run: async (cli, args) => {
    const limit = args.number('limit', { min: 1, max: 10_000 });
    if (!limit.ok) return limit;
    await cli.open();
    const session = args.text('session');
    const { log } = await cli.recallContext();
    const injections = log.injections(session, limit.value ?? LIMIT);
    return ok({
      json: { ...(session !== undefined && { session, tokens: log.spent(session) }), injections },
      lines: injections.length === 0 ? ['Nothing was injected yet.'] : injections.flatMap((injection) => linesOf(injection, cli)),
    });
  },
};

const linesOf = ({ at, session, event, tokens, items }: Injection, { paint }: Cli): string[] => [
  `${paint.bold(shownTime(at))}  ${event}  session ${inert(session)}  about ${tokens} tokens`,
  ...items.flatMap(({ id, title, score, reasons }) => [
    `  ${inert(id)}  ${inert(title)}${score === 0 ? '' : paint.dim(`  ${score.toFixed(2)}`)}`,
    ...reasons.map((reason) => `    ${paint.dim(inert(reason))}`),
  ]),
];
