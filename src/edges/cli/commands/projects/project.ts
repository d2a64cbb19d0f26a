import { DOCUMENTS } from '../../../../app/documents/places.ts';
import { documentText } from '../../../../app/documents/read.ts';
import { describeProject } from '../../../../app/session/project.ts';
import { ok } from '../../../../core/result.ts';
import { PROJECT_SECTIONS, PROJECT_TYPES, type ProjectSection, type ProjectType } from '../../../../render/documents/project.ts';
import type { Command } from '../../command.ts';
import { inert } from '../../paint.ts';

export const projectCommand: Command = {
  name: 'project',
  about: 'Shows and keeps what this project is and your role in it (project.md), which every session is told when it starts.',
  positionals: '',
  most: 0,
  options: [
    { name: 'type', value: 'TYPE', choices: PROJECT_TYPES, about: 'what it is' },
    { name: 'overview', value: 'TEXT', about: 'what it is for' },
    { name: 'role', value: 'TEXT', about: 'your role in it' },
    { name: 'stack', value: 'TEXT', about: 'languages, frameworks, services' },
    { name: 'related', value: 'TEXT', about: 'other projects it has to do with' },
    { name: 'notes', value: 'TEXT', about: 'a note, added to those that are there' },
  ],
  examples: [
    ['holdfast project', 'what is said of it'],
    ['holdfast project --type library --overview "Invoices for all shops" --role maintainer', 'say it'],
  ],
  run: async (cli, args) => {
    const { memory } = await cli.open();
    const names = Object.keys(PROJECT_SECTIONS) as ProjectSection[];
    const sections = Object.fromEntries(names.flatMap((name) => (args.text(name) === undefined ? [] : [[name, args.text(name) ?? '']])));
    const type = args.text('type') as ProjectType | undefined;
    if (type === undefined && Object.keys(sections).length === 0) {
      const text = await documentText(memory, DOCUMENTS.project);
      return ok({
        json: { ok: true, text: text || null },
        lines: [text === '' ? 'nothing is said of this project yet: holdfast project --help' : inert(text.trimEnd())],
      });
    }
    const written = await describeProject(memory, { type, sections }, { actor: 'command' });
    if (!written.ok) return written;
    const { status, file, warnings, redactions } = written.value;
    return ok({
      json: { ok: true, status, file, ...(redactions.length > 0 && { redactions }) },
      lines: [`${cli.paint.green(status)} ${inert(file)}`],
      warnings: [...warnings, ...redactions.map(({ kind, field }) => `kept from the disk: ${kind} on ${field}`)],
    });
  },
};
