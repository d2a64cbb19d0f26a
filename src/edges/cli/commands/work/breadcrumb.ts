import { brief } from '../../../../app/recall/brief/brief.ts';
import { checkBreadcrumb, leaveBreadcrumb } from '../../../../app/work/breadcrumb.ts';
import { ok, refuse } from '../../../../core/result.ts';
import type { Cli, Command } from '../../command.ts';
import { inert } from '../../paint.ts';
import { unknownAction } from '../../errors.ts';

const VERDICT_TEXTS = {
  inactive: 'Memory is off in this project; nothing to do.',
  first: 'This is the first reply of the session; nothing is missing.',
  intact: 'The breadcrumb is there: the context is complete.',
  recovered: 'The context was compacted and has been recovered already.',
  compacted: 'The breadcrumb is gone: the context was compacted. Read this, then continue:',
} as const;

export const breadcrumbCommand: Command = {
  name: 'breadcrumb',
  about:
    'Prints a marker for the end of a reply. `check` looks for it in the visible conversation; if it is gone, the context was compacted, and check prints what to recover. For clients without hooks.',
  positionals: '[check]',
  most: 1,
  options: [
    { name: 'input', value: 'FILE', about: 'with check: read the visible conversation from FILE, or from standard input with - (default)' },
    { name: 'session', value: 'ID', about: "the client's session id" },
  ],
  examples: [
    ['holdfast breadcrumb', 'at the end of a reply; prints nothing if memory is off'],
    ['holdfast breadcrumb check --input visible.txt', 'at the start of the next reply'],
  ],
  run: async (cli, args) => {
    const [verb] = args.positionals;
    if (verb !== undefined && verb !== 'check')
      return refuse('USAGE_ERROR', unknownAction('breadcrumb', verb, ['check']), { hint: 'holdfast breadcrumb --help' });
    const { memory } = await cli.open();
    const session = args.text('session') ?? cli.session;
    const request = { actor: cli.actor, sessionId: session };
    if (verb === undefined) {
      const breadcrumb = await leaveBreadcrumb(memory, request);
      return breadcrumb.ok
        ? ok({
            json: { ok: true, active: breadcrumb.value !== undefined, breadcrumb: breadcrumb.value ?? null },
            lines: breadcrumb.value === undefined ? [] : [breadcrumb.value],
          })
        : breadcrumb;
    }
    const context = await cli.readInput(args.text('input') ?? '-');
    if (!context.ok) return context;
    const checked = await checkBreadcrumb(memory, context.value, request);
    if (!checked.ok) return checked;
    const verdict = checked.value === 'compacted' && (await isRecovered(cli, session)) ? 'recovered' : checked.value;
    const text = verdict === 'compacted' ? (await brief(memory, await cli.recallContext(), { event: 'compact' })).text : '';
    return ok({
      json: { ok: true, verdict, active: verdict !== 'inactive', recovery: text === '' ? null : text },
      lines: [VERDICT_TEXTS[verdict], ...(text === '' ? [] : ['', inert(text)])],
    });
  },
};

/** Whether the session was recovered already. Marks it as recovered, so that no hook recovers it again. */
async function isRecovered(cli: Cli, session: string | undefined): Promise<boolean> {
  if (session === undefined) return false;
  const notes = await cli.hookNotes();
  if (notes.read(session).recovered === true) return true;
  notes.change(session, { recovered: true, breadcrumb: false });
  return false;
}
