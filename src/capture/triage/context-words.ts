import type { Passage } from './prose.ts';
import { one, raw } from './words.ts';

const FILE = one('tsx?|jsx?|mjs|cjs|py|rs|go|rb|java|kt|swift|cs?|cpp|h|php|md|json|ya?ml|toml|sql|sh|css|html?|vue|svelte|lock|env|txt|xml');
const THINGS = [
  'code|codebase|files?|folder|director(?:y|ies)|functions?|methods?|class(?:es)?|modules?|packages?|librar(?:y|ies)|dependenc(?:y|ies)',
  'components?|tests?|bugs?|errors?|build',
  raw`deploy\w*|commit\w*|branch\w*|merge\w*|repo(?:sitory)?|pull requests?|PRs?|API|endpoints?|server|client|database|schema|migrations?`,
  raw`quer(?:y|ies)|cache|config\w*|lint\w*`,
  raw`typecheck|types?|refactor\w*|script|CLI|command|hooks?|UI|UX|page|button|modal|tabs?|layout|CSS|label|header|mode|prompt|README`,
  'changelog|docs|documentation|release|version',
  raw`pipeline|CI|container|token|parser|render\w*|default|terminology|naming|agent|plugin|template|queue|service|worker|framework|exports?`,
  raw`imports?|quotes|indent\w*|spaces|spelling`,
  raw`Redis|Postgres\w*|SQLite|MySQL|Mongo\w*|RabbitMQ|Kafka|GraphQL|REST|Lambda|ECS|AWS|Docker|Kubernetes|Node(?:\.?js)?|Python|TypeScript`,
  'JavaScript|Rust|React|Vite|npm|pnpm|yarn|git|GitHub|Safari|Chrome',
];

/** Signs that people talk about their work on software and not about their weekend. */
const WORK = new RegExp(
  ['`[^`]+`', raw`\b[\w-]+\.${FILE}\b`, raw`\b[a-z]+[A-Z]\w+|\b\w+_\w+\b|(?:^|\s)[@~.]?\/?[\w.-]+\/[\w./-]+`, raw`\b${one(...THINGS)}\b`].join('|'),
);

export const isAboutWork = (passage: Passage): boolean => passage.sentences.some((sentence) => WORK.test(sentence.text));
