import { shortName } from '../../../../app/read/resolve.ts';
import type { Memory } from '../../../../app/memory/memory.ts';
import { recallMaster, type Summary } from '../../../../app/recall/master.ts';
import { recall as recallForPrompt, type Recalled, type RecalledItem } from '../../../../app/recall/recall.ts';
import { utcSeconds } from '../../../../core/instant.ts';
import { ok, refuse, type Result } from '../../../../core/result.ts';
import { isObject } from '../../../../core/value.ts';
import type { Arguments, Cli, Command, CommandResult, Paint } from '../../command.ts';
import { shownDay } from '../../instant.ts';
import { inert } from '../../paint.ts';
import { contextForRecall, OPEN_FILE } from './open-files.ts';

export const recallCommand: Command = {
  name: 'recall',
  about: 'Shows what memory adds to a prompt, and why. Without a prompt, prints the synthesis of all sessions (master.md).',
  positionals: '[PROMPT]',
  options: [
    { name: 'session', value: 'S', about: 'recall as part of this session: skip what it has seen or written, and log the result' },
    OPEN_FILE,
    {
      name: 'batch',
      value: 'FILE',
      about: 'read one {"prompt"} or {"tool", "input"} per line and print one line for each: the first prompt of a session, or a tool call about to be made',
    },
  ],
  examples: [
    ['holdfast recall "why did we pick sqlite?"', 'the block an agent would get, with the reasons'],
    ['holdfast recall "fix the login test" --json', 'for scripts: the injected records with scores and reasons'],
    ['holdfast recall', 'the state of the project, from master.md'],
  ],
  run: async (cli, args) => {
    const batch = args.text('batch');
    if (batch !== undefined) return runBatch(cli, args, batch);
    const prompt = args.positionals.join(' ').trim();
    const { memory } = await cli.open();
    if (prompt === '') return masterOutput(memory, cli.paint);
    const session = args.text('session');
    const recalled = await recallForPrompt(memory, await contextForRecall(cli, args), { prompt, ...(session !== undefined && { session }) });
    return ok({ json: jsonOf(recalled), ...(recalled.text !== '' && { block: inert(recalled.text) }), lines: linesOf(recalled, cli, memory) });
  },
};

const jsonOf = ({ prompt, injected, tokens, text, silence, nearest }: Recalled): object => ({
  prompt,
  injected,
  tokens,
  text,
  ...(silence !== undefined && { silence }),
  ...(nearest && { nearest }),
});

const itemLines = ({ id, title, score, reasons, named }: RecalledItem, { paint }: Cli, memory: Memory): string[] => [
  `${paint.bold(inert(shortName(memory, id)))}  ${inert(title)}  ${paint.dim(`${score.toFixed(2)}${named ? ', named only' : ''}`)}`,
  ...reasons.map((reason) => `  ${paint.dim(inert(reason))}`),
];

function linesOf(recalled: Recalled, cli: Cli, memory: Memory): string[] {
  const { injected, silence, nearest = [], tokens, text } = recalled;
  if (text !== '') return ['', ...injected.flatMap((item) => itemLines(item, cli, memory)), cli.paint.dim(`about ${tokens} tokens`)];
  return [
    `Nothing is injected: ${silence ?? 'no reason'}`,
    ...(nearest.length > 0 ? [cli.paint.dim('Nearest records, all weak:'), ...nearest.flatMap((item) => itemLines(item, cli, memory))] : []),
  ];
}

type BatchRow = { readonly prompt: string } | { readonly tool: string; readonly input: Readonly<Record<string, unknown>> };

function rowsIn(file: string, text: string): Result<readonly BatchRow[]> {
  const rows: BatchRow[] = [];
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    try {
      const row: unknown = JSON.parse(line);
      if (!isObject(row) || (typeof row['prompt'] !== 'string' && typeof row['tool'] !== 'string'))
        return refuse('INPUT_ERROR', `Line ${at + 1} of ${file} has no "prompt" and no "tool".`);
      rows.push(
        typeof row['prompt'] === 'string' ? { prompt: row['prompt'] } : { tool: row['tool'] as string, input: isObject(row['input']) ? row['input'] : {} },
      );
    } catch (cause) {
      return refuse('INPUT_ERROR', `Line ${at + 1} of ${file} is not JSON: ${(cause as Error).message}`);
    }
  }
  return ok(rows);
}

async function runBatch(cli: Cli, args: Arguments, file: string): Promise<CommandResult> {
  const read = await cli.readInput(file);
  if (!read.ok) return read;
  const requestRows = rowsIn(file, read.value);
  if (!requestRows.ok) return requestRows;
  const [{ memory }, recallContext] = [await cli.open(), await contextForRecall(cli, args)];
  const { recallForAction } = await import('../../../../app/recall/acting.ts');
  const { actionIn, SUBAGENT_TOOL } = await import('../../../../app/hooks/tool.ts');
  const { readCall } = await import('../../../../app/hooks/call.ts');
  const forTool = async (tool: string, input: object): Promise<object> => {
    const call = readCall('PreToolUse', { tool_name: tool, tool_input: input });
    const task = call.ok && SUBAGENT_TOOL.test(tool) ? call.value.prompt : undefined;
    // The brief of a subagent, for its task.
    if (task !== undefined) return { tool, ...jsonOf(await recallForPrompt(memory, recallContext, { prompt: task, as: 'subagent' })) };
    const action = call.ok ? actionIn(call.value) : undefined;
    return { tool, ...(await recallForAction(memory, recallContext, action ?? {})) };
  };
  const rows: object[] = [];
  for (const row of requestRows.value)
    rows.push('prompt' in row ? jsonOf(await recallForPrompt(memory, recallContext, { prompt: row.prompt })) : await forTool(row.tool, row.input));
  return ok({ json: rows, stream: true, lines: rows.map((row) => JSON.stringify(row)) });
}

const LISTED = 20;

const summaryLine = ({ id, title, updatedAt }: Summary): string => `  ${shownDay(updatedAt)}  ${inert(id)}  ${inert(title)}`;

/** Recall without a prompt: master.md with its status first. Without one, lists the summaries it can be made from. */
async function masterOutput(memory: Memory, paint: Paint): Promise<CommandResult> {
  const { master, summaries } = await recallMaster(memory);
  if (!master) {
    const { automaticSummaries } = await import('../../../../app/episodes/summarize-all.ts');
    const automatic = await automaticSummaries(memory, LISTED);
    const listed = summaries.slice(0, LISTED);
    return ok({
      json: { prompt: null, injected: [], tokens: 0, text: '', master: null, summaries },
      lines: [
        'There is no master.md yet. Create it from the session summaries with `holdfast synthesize`.',
        ...(listed.length === 0
          ? ['There are no session summaries yet. Save one with `holdfast summarize`.']
          : ['Session summaries:', ...listed.map((one) => `${summaryLine(one)}${automatic.has(one.id) ? ' (automatic)' : ''}`)]),
        ...(summaries.length > LISTED ? [`  and ${summaries.length - LISTED} more`] : []),
      ],
    });
  }
  const { text, file, at, status, decisions, fresh, isOld } = master;
  const news = fresh === 0 ? '' : `, ${fresh} newer ${fresh === 1 ? 'summary is' : 'summaries are'} not included yet`;
  return ok({
    json: {
      prompt: null,
      injected: [],
      tokens: 0,
      text,
      master: { file, synthesized_at: utcSeconds(at), ...(status !== undefined && { status }), decisions, new_summaries: fresh, old: isOld },
    },
    lines: [
      paint.bold(`Status: ${inert(status ?? 'unknown')}`),
      paint.dim(`${decisions} key ${decisions === 1 ? 'decision' : 'decisions'}, written ${utcSeconds(at).slice(0, 10)}${news}`),
      '',
      inert(text).trimEnd(),
    ],
    warnings: isOld ? [`master.md is from ${utcSeconds(at).slice(0, 10)}. Update it with \`holdfast synthesize\`.`] : [],
  });
}
