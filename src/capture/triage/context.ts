import type { Activity } from './activity.ts';
import { type Excerpt, joinExcerpts } from './excerpts.ts';
import type { TriageCategory } from './settings.ts';
import type { Passage } from './prose.ts';
import { one, raw } from './words.ts';

/** The most bytes of a context file. */
const CONTEXT_LIMIT = 50 * 1024;

const OPEN = '<transcript_data>';
const CLOSE = '</transcript_data>';

/** A text in which tags of the two blocks are disarmed, so that it cannot end its block or begin another. */
export const neutral = (text: string): string => text.replace(/<(\/?)\s*(transcript_data|triage_data)\b/gi, '<$1 $2');

function bytesOf(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code >= 0xd800 && code <= 0xdfff ? 2 : 3;
  }
  return bytes;
}

/** The blocks that fit, in the given order. */
function fitting(blocks: readonly string[], room: number): string[] {
  const fittingBlocks: string[] = [];
  let remaining = room;
  for (const block of blocks) {
    const bytes = bytesOf(block) + 6;
    if (bytes > remaining) continue;
    fittingBlocks.push(block);
    remaining -= bytes;
  }
  return fittingBlocks;
}

const headOf = (category: TriageCategory, score: number, description: string): string =>
  [`Category: ${category}`, `Score: ${score.toFixed(2)}`, ...(description === '' ? [] : [`Description: ${neutral(description)}`])].join('\n');

const contextFile = (head: string, body: string): string => `${head}\n\n${OPEN}\n${body}\n${CLOSE}\n`;

/** The context file of a text category: the lines around its matches; if not all fit, those of the best matches. */
export function textContext(category: TriageCategory, score: number, description: string, excerpts: readonly Excerpt[]): string {
  const head = headOf(category, score, description);
  const room = CONTEXT_LIMIT - bytesOf(contextFile(head, ''));
  const chosen: Excerpt[] = [];
  let used = 0;
  for (const excerpt of excerpts) {
    const bytes = bytesOf(neutral(excerpt.lines.join('\n'))) + 6;
    if (used + bytes > room) continue;
    chosen.push(excerpt);
    used += bytes;
  }
  return contextFile(
    head,
    joinExcerpts(chosen)
      .map(({ lines }) => neutral(lines.join('\n')))
      .join('\n\n…\n\n'),
  );
}

/** The context file of a session: its counts, its beginning and its end. */
export function sessionContext(score: number, description: string, activity: Activity, first: readonly string[], last: readonly string[]): string {
  const head = [
    headOf('session_summary', score, description),
    `Tool uses: ${activity.toolUses}`,
    `Distinct tools: ${activity.distinctTools}`,
    `Exchanges: ${activity.exchanges}`,
    `File changes: ${activity.changes}`,
    `Commands: ${activity.commands}`,
  ].join('\n');
  const room = CONTEXT_LIMIT - bytesOf(contextFile(head, '\n…\n'));
  // The end of a session shows its state, so it gets room first.
  const ending = fitting(last.map(neutral).toReversed(), Math.floor(room * 0.7)).toReversed();
  const beginning = fitting(first.map(neutral), room - bytesOf(ending.join('\n')) - ending.length * 6);
  return contextFile(head, [beginning.join('\n'), ...(ending.length > 0 ? ['…', ending.join('\n')] : [])].join('\n'));
}

const FILE = one('tsx?|jsx?|mjs|cjs|py|rs|go|rb|java|kt|swift|cs?|cpp|h|php|md|json|ya?ml|toml|sql|sh|css|html?|vue|svelte|lock|env|txt|xml');
const THINGS = [
  'code|codebase|files?|folder|director(?:y|ies)|functions?|methods?|class(?:es)?|modules?|packages?|librar(?:y|ies)|dependenc(?:y|ies)',
  'components?|tests?|bugs?|errors?|build',
  raw`deploy\w*|commit\w*|branch\w*|merge\w*|repo(?:sitory)?|pull requests?|PRs?|API|endpoints?|server|client|database|schema|migrations?`,
  raw`quer(?:y|ies)|cache|config\w*|lint\w*`,
  raw`typecheck|types?|refactor\w*|script|CLI|command|hooks?|UI|UX|page|button|modal|tabs?|layout|CSS|label|header|mode|prompt|README`,
  'changelog|docs|documentation|release|version',
  raw`pipeline|CI|container|token|parser|render\w*|default|terminology|naming|agent|plugin|template|queue|service|worker|framework|exports?`,
  raw`imports?|quotes|indent\w*|spaces|spelling|log(?:in|s|ging)?|auth\w*|requests?|upgrad\w+|install\w*|variables?|strings?|regex\w*|JSON|HTTP|DNS|cookies?|prox(?:y|ies)`,
  raw`logic|retr(?:y|ies)|tables?|threads?|process(?:es)?|drivers?|firmware|tenants?|locks?|packets?|kernel|time-?outs?|commits?|diffs?|todos?|tickets?|backlog|sprint|providers?|payments?|failures?|handlers?|bundle|bytes?|shell|terminal|compil\w+|debug\w*|browser|frontend|backend`,
  raw`Redis|Postgres\w*|SQLite|MySQL|Mongo\w*|RabbitMQ|Kafka|GraphQL|REST|Lambda|ECS|AWS|Docker|Kubernetes|Node(?:\.?js)?|Python|TypeScript`,
  'JavaScript|Rust|React|Vite|npm|pnpm|yarn|git|GitHub|Safari|Chrome',
];

const LIFE = one(
  'mom|mum|mommy|dad|mother|father|sister|brother|daughters?|sons?|kids?|child(?:ren)?|baby|wife|husband|girlfriend|boyfriend|grand(?:ma|pa|mother|father)|aunt|uncle|cousin|niece|nephew',
  raw`family|friends?|friendship|neighbou?r\w*|dogs?|cats?|pupp(?:y|ies)|kittens?|pets?|birthday|wedding|anniversary|party|parties|holidays?|vacation|trips?|travel\w*|hik(?:e|es|ing)|camping|beach`,
  raw`mountains?|weekend|dinner|lunch|breakfast|restaurant|recipes?|cook(?:s|ed|ing)?|baking|cakes?|coffee|tea|wine|beer|milk|meat|vegan|food|movies?|films?|concert|music|songs?|guitar|piano|paint\w*|art|artist`,
  raw`photos?|novel|yoga|gym|workouts?|marathon|soccer|football|basketball|tennis|swim\w*|bikes?|garden\w*|flowers?|school|church|doctor|hospital|sleep\w*|tired|happy(?! path)|sad|proud|excited|exciting`,
  raw`amazing|awesome|lov(?:e|ed|ely|ing)|feel(?:s|ing|ings)?|felt|thankful|grateful|blessed|hopefully|dreams?|journey|inspir\w+|hearts?|life|couch|carpet|house|apartment|weather|haha|lol|congrat\w*|wow|hugs?`,
);

/** Words of work on software. */
const WORK = new RegExp(
  ['`[^`]+`', raw`\b[\w-]+\.${FILE}\b`, raw`\b[a-z]+[A-Z]\w+|\b\w+_\w+\b|(?:^|\s)[@~.]?\/?[\w.-]+\/[\w./-]+`, raw`\b${one(...THINGS)}\b`].join('|'),
);

export const isAboutWork = (passage: Passage): boolean => passage.sentences.some((sentence) => WORK.test(sentence.text));

const LIFE_WORDS = new RegExp(raw`\b${LIFE}\b`, 'i');

/** Whether a passage is about private life. */
export const isAboutLife = (passage: Passage): boolean => passage.sentences.some((sentence) => LIFE_WORDS.test(sentence.text));

/** The subject of a prompt: work, other things, or unclear. */
export type Topic = 'work' | 'life' | 'unclear';

export const topicOf = (passage: Passage): Topic => (isAboutWork(passage) ? 'work' : isAboutLife(passage) ? 'life' : 'unclear');
