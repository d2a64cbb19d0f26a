import { oneLine } from '../views/row.ts';
import { withSection, splitSections } from './sections.ts';

export const PROJECT_TYPES = ['application', 'library', 'fork', 'config'] as const;
export type ProjectType = (typeof PROJECT_TYPES)[number];

/** The sections of `project.md`. */
export const PROJECT_SECTIONS = { overview: 'Overview', role: 'Role', stack: 'Tech Stack', related: 'Related Projects', notes: 'Notes' } as const;
export type ProjectSection = keyof typeof PROJECT_SECTIONS;

export interface ProjectChange {
  readonly type?: ProjectType | undefined;
  /** The new text of each section; a note is added to the existing ones. */
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

/** Sets a label of the head; a missing label is added below the title. */
function withLabel(source: string, name: string, value: string): string {
  const line = `**${name}**: ${oneLine(value)}`;
  const label = new RegExp(String.raw`^\*\*${name}\*\*:.*$`, 'm');
  if (label.test(source)) return source.replace(label, () => line);
  return /^# .*$/m.test(source) ? source.replace(/^# .*$/m, (title) => `${title}\n\n${line}`) : `${line}\n\n${source}`;
}

/** `project.md` with a change; all other text stays. */
export function renderProject(source: string | undefined, facts: ProjectFacts, { type, sections }: ProjectChange): string {
  let text = source === undefined || source.trim() === '' ? template(facts) : source;
  for (const [section, entries] of Object.entries(sections) as [ProjectSection, string][]) {
    text = withSection(text, PROJECT_SECTIONS[section], (body) =>
      section === 'notes' ? `${body.replace(/\s+$/, '')}\n- ${oneLine(entries)}`.replace(/^\n/, '') : entries.trim(),
    );
  }
  if (type !== undefined) text = withLabel(text, 'Type', type);
  return withLabel(withLabel(text, 'Path', facts.path), 'Last Updated', facts.now);
}

/** The initial text of a work session's documents. Each ends with a line that counts as empty. */
const placeholder = (title: string, about: string, nothing: string): string => `# ${title}\n\n<!-- ${about} Edits by hand are kept. -->\n\n${nothing}\n`;

export const NO_TASK = placeholder('Current Task', 'What is being worked on now: `holdfast task TEXT` sets it.', 'None.');
export const NO_BLOCKERS = placeholder('Blockers', 'What holds the work up: `holdfast block TEXT` adds one.', 'None.');
export const NO_ACTIVE = placeholder('Active Work', 'The steps of the task, as boxes: `holdfast progress add TEXT` adds one.', 'Nothing yet.');
export const NO_COMPLETED = placeholder('Completed Work', 'What was finished when, newest first.', 'Nothing yet.');

/** `context/current-task.md` with the task; sections below it are manual notes and stay. */
export function renderTask(source: string | undefined, task: { readonly text: string; readonly started: string } | undefined): string {
  const { sections } = splitSections(source ?? '');
  const notes = sections.map(({ heading, body }) => heading + body).join('');
  const head = task === undefined ? NO_TASK : `# Current Task\n\n${task.text.trim()}\n\n**Started**: ${oneLine(task.started)}\n`;
  return notes === '' ? head : `${head}\n${notes}`;
}

const LABEL = /^\*\*[^*]+\*\*\s*:/;

/** The task itself, as one text; undefined if there is none. */
export function taskOf(source: string): string | undefined {
  const lines = splitSections(source.replace(/<!--[\s\S]*?-->/g, ''))
    .head.split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#') && !LABEL.test(line) && !/^(?:none|nothing)(?: yet)?\.?$/i.test(line));
  return lines.length === 0 ? undefined : lines.join('\n');
}
