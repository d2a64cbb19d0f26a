import { oneLine } from '../views/cell.ts';
import { withSection } from './sections.ts';

export const PROJECT_TYPES = ['application', 'library', 'fork', 'config'] as const;
export type ProjectType = (typeof PROJECT_TYPES)[number];

/** What can be said of a project, by the section it goes to. */
export const PROJECT_SECTIONS = { overview: 'Overview', role: 'Role', stack: 'Tech Stack', related: 'Related Projects', notes: 'Notes' } as const;
export type ProjectSection = keyof typeof PROJECT_SECTIONS;

export interface ProjectChange {
  readonly type?: ProjectType | undefined;
  /** New text of a section; notes are added to those that are there. */
  readonly sections: Readonly<Partial<Record<ProjectSection, string>>>;
}

export interface ProjectFacts {
  readonly key: string;
  readonly path: string;
  readonly now: string;
}

const template = ({ key, path, now }: ProjectFacts): string =>
  [
    `# Project: ${oneLine(key)}`,
    '',
    `**Path**: ${oneLine(path)}`,
    '**Type**: application',
    `**Last Updated**: ${now}`,
    ...Object.values(PROJECT_SECTIONS).flatMap((title) => ['', `## ${title}`]),
    '',
  ].join('\n');

/** Sets a label of the head; one that a person left out is put below the title. */
function withLabel(source: string, name: string, value: string): string {
  const line = `**${name}**: ${oneLine(value)}`;
  const label = new RegExp(String.raw`^\*\*${name}\*\*:.*$`, 'm');
  if (label.test(source)) return source.replace(label, () => line);
  return /^# .*$/m.test(source) ? source.replace(/^# .*$/m, (title) => `${title}\n\n${line}`) : `${line}\n\n${source}`;
}

/** `project.md` with a change made to it; what else stands in it stays. */
export function renderProject(source: string | undefined, facts: ProjectFacts, { type, sections }: ProjectChange): string {
  let text = source === undefined || source.trim() === '' ? template(facts) : source;
  for (const [section, said] of Object.entries(sections) as [ProjectSection, string][]) {
    text = withSection(text, PROJECT_SECTIONS[section], (body) =>
      section === 'notes' ? `${body.replace(/\s+$/, '')}\n- ${oneLine(said)}`.replace(/^\n/, '') : said.trim(),
    );
  }
  if (type !== undefined) text = withLabel(text, 'Type', type);
  return withLabel(withLabel(text, 'Path', facts.path), 'Last Updated', facts.now);
}
