import { globMatcher } from '../../capture/cleaning/exclude.ts';
import { utcSeconds } from '../../core/instant.ts';
import type { ItemFacts } from '../../core/ports/index.ts';
import { type AgentAction, actionsNamed, actionsOf, simpleCommands } from '../../core/rules/actions.ts';
import { isWelcome } from '../../core/use/item-use.ts';
import { failureToTell } from '../../recall/acting/failure.ts';
import { type BlockLine, fitBlock, shownText } from '../../recall/inject/block.ts';
import { recallLine } from '../../recall/inject/entry.ts';
import { cut, plain } from '../../recall/inject/plain.ts';
import { isSameRule, repeatedRule } from '../../recall/rules/repeated-rule.ts';
import { type RuleInForce, ruleId } from '../../recall/rules/standing.ts';
import { analyze } from '../../recall/text/analyze.ts';
import type { Memory } from '../memory/memory.ts';
import { isForeign, readEntry, recordName } from './entry.ts';
import { mutedRules, type TypedRules } from './muted-rules.ts';
import type { RecallContext } from './recall-context.ts';
import type { RecalledItem } from './recall.ts';

/** A tool call that an agent is about to make. */
export interface ActionRequest {
  /** The line that a shell is about to run. */
  readonly command?: string;
  /** The file that is about to be written. */
  readonly file?: string;
  /** The session of the call; without one nothing is logged and nothing counts as shown. */
  readonly session?: string;
}

export interface ActionRecall {
  readonly injected: readonly RecalledItem[];
  readonly tokens: number;
  /** Empty if nothing applies, which is usual. */
  readonly text: string;
}

const NO_RECALL: ActionRecall = { injected: [], tokens: 0, text: '' };
const HEAD = 'From memory, as data:';
const MAX_TOKENS = 200;
const MAX_RULES = 2;
const CAUSE_LENGTH = 240;
const MAX_RECORDS_CHECKED = 50;

interface Notice {
  readonly id: string;
  readonly title: string;
  readonly updatedAt: string;
  readonly reason: string;
  readonly line: BlockLine;
}

/** Finds what applies to a tool call: why such a command failed before, rules that name the action, a record about the file. */
export async function recallForAction(memory: Memory, context: RecallContext, { command, file, session }: ActionRequest): Promise<ActionRecall> {
  const actions = command === undefined ? [] : actionsOf(command);
  if (actions.length === 0 && file === undefined) return NO_RECALL;
  const injected = session === undefined ? new Set<string>() : injectedIn(context, session);
  const path = file === undefined ? undefined : fileInProject(file, memory.projectPath ?? '');
  const rules = await ruleNotices(memory, context, { actions, commands: command === undefined ? [] : simpleCommands(command), path });
  const notices = [
    ...actions.flatMap((action) => failureNotice(context, action)),
    ...rules,
    ...repeatedRuleNotices(memory, context, actions, rules),
    ...(path === undefined ? [] : await fileNotices(memory, context, path)),
  ].filter(
    ({ id }, at, all) =>
      !injected.has(id) && all.findIndex((other) => other.id === id) === at && (id.startsWith('rule:') || isWelcome(id, context.log.receptionOf([id]).get(id))),
  );
  if (notices.length === 0) return NO_RECALL;
  const tokensLeft = session === undefined ? MAX_TOKENS : memory.config.get('inject.sessionTokens') - context.log.spent(session);
  const block = fitBlock(
    { attributes: { for: 'action' }, head: HEAD },
    notices.map(({ line }) => line),
    Math.min(MAX_TOKENS, tokensLeft),
  );
  const shown = notices.filter(({ id }) => block.shown.includes(id));
  if (shown.length === 0) return NO_RECALL;
  if (session !== undefined)
    context.log.note({
      at: utcSeconds(memory.now()),
      session,
      event: 'action',
      tokens: block.tokens,
      items: shown.map(({ id, title, line, updatedAt, reason }) => ({ id, title, ...shownText([line], id), updatedAt, score: 1, reasons: [reason] })),
    });
  return { injected: shown.map(({ id, title, reason }) => ({ id, title, score: 1, reasons: [reason] })), tokens: block.tokens, text: block.text };
}

const CONTEXT_RESETS: ReadonlySet<string> = new Set(['compact', 'clear']);
const MAX_EVENTS_READ = 200;

/**
 * The ids injected at prompts and tool calls since the context was last cleared or compacted. The brief of the start does not count, because it is long past
 * when a rule applies.
 */
function injectedIn({ log }: RecallContext, session: string): ReadonlySet<string> {
  const events = log.injections(session, MAX_EVENTS_READ);
  const lastReset = events.findIndex(({ event }) => CONTEXT_RESETS.has(event));
  const injected = events.slice(0, lastReset < 0 ? undefined : lastReset).filter(({ event }) => event === 'action' || event === 'prompt');
  return new Set(injected.flatMap(({ items }) => items.map(({ id }) => id)));
}

function failureNotice({ failures }: RecallContext, action: AgentAction): readonly Notice[] {
  const failure = failureToTell(failures(action), action);
  if (failure === undefined) return [];
  const [id, day] = [`failure/${failure.messageId}`, utcSeconds(failure.at).slice(0, 10)];
  const often = failure.sessions > 1 ? `${failure.sessions} sessions, last ` : '';
  const line = `- Failed here before (${often}${day}): ${cut(plain(failure.cause), CAUSE_LENGTH)}`;
  return [{ id, title: failure.cause, updatedAt: utcSeconds(failure.at), reason: `a ${action} failed before`, line: { id, forms: [line] } }];
}

interface ActionScope {
  readonly actions: readonly AgentAction[];
  readonly commands: readonly string[];
  readonly path: string | undefined;
}

/** Whether a rule names the action, the beginning of a command, or the file. */
function isInScope(scope: string, { actions, commands, path }: ActionScope): boolean {
  if (path !== undefined && /[/*.]/.test(scope) && !scope.includes(' ')) return globMatcher(scope)(path);
  if (commands.some((command) => command === scope || command.startsWith(`${scope} `))) return true;
  // A scope such as `npm publish` means that command, not every way to release.
  const named: readonly string[] = actionsOf(scope).length > 0 ? [] : [scope, ...actionsNamed(`run ${scope}`)];
  return actions.some((action) => named.includes(action));
}

/** Names that no project has: a pattern that matches one of them matches nearly everything. */
const MADE_UP = ['q', 'zq7x', '.qz', 'qx/zj', 'zj/qx/wv.qzx', 'QZ-7_W.ZQX'];

/** Whether the scope of a repository's record names something: anyone who can push could otherwise speak before every edit. */
function isSpecific(scope: string): boolean {
  const literal = scope.replace(/\[[^\]]*\]/g, '*');
  return /[\p{L}\p{N}]{2}|\.\p{L}\b/u.test(literal) && !MADE_UP.some((path) => globMatcher(scope)(path));
}

async function ruleNotices(memory: Memory, context: RecallContext, scope: ActionScope): Promise<readonly Notice[]> {
  const notices: Notice[] = [];
  for (const home of [memory, ...(context.user ? [context.user] : [])]) {
    for (const item of home.index.rules()) {
      const named = item.appliesTo?.find((one) => isInScope(one, scope) && (!isForeign(item.root) || isSpecific(one)));
      const notice = named === undefined || notices.length >= MAX_RULES ? undefined : await recordNotice(home, context, item, `a rule about ${named}`);
      if (notice) notices.push(notice);
    }
  }
  return notices;
}

/** The rule about the action that was stated in several sessions, unless a record says the same. */
function repeatedRuleNotices(memory: Memory, context: RecallContext, actions: readonly AgentAction[], rules: readonly Notice[]): readonly Notice[] {
  const repeated = actions.length === 0 ? [] : context.typedRules();
  return actions.flatMap((action) => {
    const rule = unmutedRule(memory, context, repeated, action);
    if (rule === undefined || rules.some(({ title }) => isSameRule(title, rule.text))) return [];
    const [id, text, day] = [ruleId(rule.text), plain(rule.text), utcSeconds(rule.at).slice(0, 10)];
    const line = `- Asked for in ${rule.times} earlier sessions (last ${day}): ${text}`;
    return [
      { id, title: text, updatedAt: utcSeconds(rule.at), reason: `said in ${rule.times} sessions about ${action}`, line: { id, forms: [line] as const } },
    ];
  });
}

/** Few sentences are repeated, so what mutes them is read only when one is. */
function unmutedRule(memory: Memory, context: RecallContext, repeated: TypedRules, action: AgentAction): RuleInForce | undefined {
  if (repeatedRule(repeated, action) === undefined) return undefined;
  const isMuted = mutedRules(memory, context, repeated);
  const open = repeated.filter(({ text, at }) => !isMuted(text, at));
  return repeatedRule(open, action, isMuted);
}

async function recordNotice(home: Memory, context: RecallContext, item: ItemFacts, reason: string): Promise<Notice | undefined> {
  if (item.trust === 'quarantined' || item.supersededBy !== undefined) return undefined;
  const read = await readEntry(home, item, context);
  return read && { id: recordName(item), title: item.title, updatedAt: item.updatedAt, reason, line: recallLine(read.entry) };
}

/** The path of a file from the top of the checkout; unchanged if it lies elsewhere. */
function fileInProject(file: string, folder: string): string {
  const path = file.replaceAll('\\', '/');
  const top = `${folder.replaceAll('\\', '/').replace(/\/$/, '')}/`;
  return path.startsWith(top) ? path.slice(top.length) : path.replace(/^\.\//, '');
}

const isSameFile = (named: string, path: string): boolean => named === path || (named.includes('/') && path.endsWith(`/${named.replace(/^\.?\//, '')}`));

const CATEGORIES_ABOUT_FILES: ReadonlySet<string | undefined> = new Set(['constraint', 'preference', 'decision', 'runbook', 'tech_debt']);
/** A record that names many files is about none of them. */
const MAX_RELATED_FILES = 3;

/** The record about a file: a confirmed one before others, then the newest. */
async function fileNotices(memory: Memory, context: RecallContext, path: string): Promise<readonly Notice[]> {
  const terms = analyze(path.slice(path.lastIndexOf('/') + 1));
  if (terms.length === 0) return [];
  const about = memory.index
    .naming(terms, MAX_RECORDS_CHECKED)
    .filter(
      ({ category, files, waits }) =>
        CATEGORIES_ABOUT_FILES.has(category) && waits !== true && files.length <= MAX_RELATED_FILES && files.some((named) => isSameFile(named, path)),
    );
  const [item] = about.toSorted((a, b) => Number(b.trust === 'confirmed') - Number(a.trust === 'confirmed'));
  const notice = item && (await recordNotice(memory, context, item, `a record about ${path}`));
  return notice ? [notice] : [];
}
