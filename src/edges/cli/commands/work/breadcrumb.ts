import { brief } from '../../../../app/recall/brief/brief.ts';
import { checkBreadcrumb, leaveBreadcrumb } from '../../../../app/session/breadcrumb.ts';
import { ok, refuse } from '../../../../core/result.ts';
import type { Cli, Command } from '../../command.ts';
import { inert } from '../../paint.ts';

const WORDS = {
  inactive: 'memory mode is not active: nothing to do',
  first: 'the first reply of this session: nothing is missing',
  intact: 'the breadcrumb is there: the context is intact',
  recovered: 'the context was compacted, and has been recovered already',
  compacted: 'the breadcrumb is gone: the context was compacted. Read this, then go on:',
} as const;

export const breadcrumbCommand: Command = {
  name: 'breadcrumb',
  about:
    'Prints the marker that ends a reply; `check` looks for it in what is still visible and, where it is gone, says what was going on. For clients without hooks.',
  positionals: '[check]',
  most: 1,
  options: [
    { name: 'input', value: 'FILE', about: 'with check: the visible conversation, or - for standard input (-)' },
    { name: 'session', value: 'ID', about: "the client's id of the session" },
  ],
  examples: [
    ['holdfast breadcrumb', 'at the end of a reply; prints nothing outside memory mode'],
    ['holdfast breadcrumb check --input visible.txt', 'at the start of the next'],
  ],
  run: async (cli, args) => {
    const [verb] = args.positionals;
    if (verb !== undefined && verb !== 'check') return refuse('USAGE_ERROR', `breadcrumb does not know ${JSON.stringify(verb)}`, { hint: 'it knows check' });
    const { memory } = await cli.open();
    const session = args.text('session') ?? cli.session;
    const request = { actor: 'command', sessionId: session };
    if (verb === undefined) {
      const left = await leaveBreadcrumb(memory, request);
      return left.ok
        ? ok({ json: { ok: true, active: left.value !== undefined, breadcrumb: left.value ?? null }, lines: left.value === undefined ? [] : [left.value] })
        : left;
    }
    const context = await cli.readInput(args.text('input') ?? '-');
    if (!context.ok) return context;
    const judged = await checkBreadcrumb(memory, context.value, request);
    if (!judged.ok) return judged;
    const verdict = judged.value === 'compacted' && (await recoversTwice(cli, session)) ? 'recovered' : judged.value;
    const text = verdict === 'compacted' ? (await brief(memory, await cli.bearings(), { event: 'compact' })).text : '';
    return ok({
      json: { ok: true, verdict, active: verdict !== 'inactive', recovery: text === '' ? null : text },
      lines: [WORDS[verdict], ...(text === '' ? [] : ['', inert(text)])],
    });
  },
};

/** A hook that was told of the compaction may have recovered the session; where it has not, it is to know that this command does. */
async function recoversTwice(cli: Cli, session: string | undefined): Promise<boolean> {
  if (session === undefined) return false;
  const notes = await cli.hookNotes();
  if (notes.read(session).recovered === true) return true;
  notes.change(session, { recovered: true, breadcrumb: false });
  return false;
}
