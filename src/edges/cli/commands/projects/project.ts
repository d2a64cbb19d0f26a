import { DOCUMENTS, documentText } from '../../../../app/documents/read.ts';
import { describeProject } from '../../../../app/work/work.ts';
import { redactionNotes } from '../../../../app/write/redaction-note.ts';
import { ok } from '../../../../core/result.ts';
import { PROJECT_SECTIONS, PROJECT_TYPES, type ProjectSection, type ProjectType } from '../../../../render/documents/project.ts';
import type { Command } from '../../command.ts';
import { inert } from '../../paint.ts';
import { joinOrSplit } from './join.ts';

export const projectCommand: Command = {
  name: 'project',
  about:
    'Shows or describes this project and your role in it (project.md). Every session gets it at its start. With merge, another project becomes part of this one: a second clone, or the same project on another machine.',
  positionals: '[merge PROJECT|split PROJECT]',
  most: 2,
  options: [
    { name: 'type', value: 'TYPE', choices: PROJECT_TYPES, about: 'the type of project' },
    { name: 'overview', value: 'TEXT', about: 'what the project is for' },
    { name: 'role', value: 'TEXT', about: 'your role in the project' },
    { name: 'stack', value: 'TEXT', about: 'languages, frameworks, services' },
    { name: 'related', value: 'TEXT', about: 'related projects' },
    { name: 'notes', value: 'TEXT', about: 'add a note' },
    { name: 'yes', short: 'y', about: 'with merge and split: do not ask' },
  ],
  examples: [
    ['holdfast project', 'show the description'],
    ['holdfast project --type library --overview "Invoices for all shops" --role maintainer', 'describe it'],
    ['holdfast project merge webshop-1f3a', 'records and conversations of webshop-1f3a come into this project, and its folders belong to it'],
    ['holdfast project split webshop-1f3a', 'take that back'],
  ],
  run: async (cli, args) => {
    const [verb] = args.positionals;
    if (verb !== undefined) return joinOrSplit(cli, args, verb);
    const { memory } = await cli.open();
    const names = Object.keys(PROJECT_SECTIONS) as ProjectSection[];
    const sections = Object.fromEntries(names.flatMap((name) => (args.text(name) === undefined ? [] : [[name, args.text(name) ?? '']])));
    const type = args.text('type') as ProjectType | undefined;
    if (type === undefined && Object.keys(sections).length === 0) {
      const text = await documentText(memory, DOCUMENTS.project);
      return ok({
        json: { ok: true, text: text || null },
        lines: [text === '' ? 'This project has no description yet. See `holdfast project --help`.' : inert(text.trimEnd())],
      });
    }
    const written = await describeProject(memory, { type, sections }, { actor: cli.actor });
    if (!written.ok) return written;
    const { status, file, warnings, redactions } = written.value;
    return ok({
      json: { ok: true, status, file, ...(redactions.length > 0 && { redactions }) },
      lines: [`${cli.paint.green(status)} ${inert(file)}`],
      warnings: [...warnings, ...redactionNotes(redactions)],
    });
  },
};
