/** The eight kinds of record, in the order of display. */
export const CATEGORIES = ['session_summary', 'decision', 'runbook', 'constraint', 'tech_debt', 'preference', 'analysis', 'subagent_report'] as const;

export type Category = (typeof CATEGORIES)[number];

export const isCategory = (name: unknown): name is Category => (CATEGORIES as readonly unknown[]).includes(name);

/** Folder of a category inside a root. */
export const FOLDERS: Readonly<Record<Category, string>> = {
  session_summary: 'sessions',
  decision: 'decisions',
  runbook: 'runbooks',
  constraint: 'constraints',
  tech_debt: 'tech-debt',
  preference: 'preferences',
  analysis: 'analysis',
  subagent_report: 'subagent',
};

const CATEGORY_OF_FOLDER: ReadonlyMap<string, Category> = new Map(CATEGORIES.map((category) => [FOLDERS[category], category]));

export const categoryOfFolder = (folder: string): Category | undefined => CATEGORY_OF_FOLDER.get(folder);

/** Aliases of categories, accepted wherever a category is typed. */
const ALIASES: ReadonlyMap<string, Category> = new Map([
  ['session', 'session_summary'],
  ['summary', 'session_summary'],
  ['debt', 'tech_debt'],
  ['fix', 'runbook'],
  ['report', 'subagent_report'],
]);

export function categoryFrom(word: string): Category | undefined {
  const name = word.toLowerCase().replaceAll('-', '_');
  if (isCategory(name)) return name;
  return ALIASES.get(name) ?? categoryOfFolder(word.toLowerCase()) ?? (isCategory(name.replace(/s$/, '')) ? (name.replace(/s$/, '') as Category) : undefined);
}
