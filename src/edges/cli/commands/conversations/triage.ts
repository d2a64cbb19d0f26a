import { ok } from '../../../../core/result.ts';
import { chosenSession } from '../../choose-session.ts';
import type { Cli, Command } from '../../command.ts';
import { inert } from '../../paint.ts';

const SHOWN = 3;
type Triaged = ReturnType<Awaited<ReturnType<Cli['episodes']>>['triage']>;

export const triageCommand: Command = {
  name: 'triage',
  about: 'Shows which categories of records a session is worth, with their scores and the lines that support them.',
  positionals: '[SESSION]',
  most: 1,
  options: [{ name: 'transcript', value: 'F', about: 'read this transcript, which need not be imported' }],
  examples: [
    ['holdfast triage', 'the last session of this project'],
    ['holdfast triage --transcript session.jsonl --json', 'categories, scores and lines'],
  ],
  run: async (cli, args) => {
    const chosen = await chosenSession(cli, args);
    if (!chosen.ok) return chosen;
    const { episode, there } = chosen.value;
    const result = (await cli.episodes()).triage(episode, (await there.open()).memory.config);
    return ok({
      json: { ok: true, session_id: episode.facts.sessionId, activity: result.activity, categories: result.categories.map(jsonOf) },
      lines: result.categories.flatMap((category) => linesOf(category, cli)),
    });
  },
};

const jsonOf = ({ category, score, threshold, fired, lines, parts }: Triaged['categories'][number]): object => ({
  category,
  score,
  threshold,
  fired,
  lines: lines.map(({ messageId, line, text, score: weight, why }) => ({ message_id: messageId, line, text, score: weight, why })),
  ...(parts && { parts }),
});

function linesOf({ category, score, threshold, fired, lines }: Triaged['categories'][number], { paint }: Cli): string[] {
  const scored = lines.filter((line) => line.score >= threshold).slice(0, SHOWN);
  return [
    `${paint.bold(category)}: ${fired ? paint.green('yes') : paint.dim('no')} (${score.toFixed(2)}, threshold ${threshold.toFixed(2)})`,
    ...scored.map(({ text }) => `      ${paint.dim(inert(text))}`),
  ];
}
