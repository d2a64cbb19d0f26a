import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

const folder = path.resolve(import.meta.dirname, '../../plugin/claude-code');

/** One of the plugin's Markdown files: what it declares and what it says. */
export interface Text {
  readonly name: string;
  readonly head: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly size: number;
}

const read = (name: string, file: string): Text => {
  const text = readFileSync(path.join(folder, file), 'utf8');
  const [, head = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  return { name, head: (parse(head) ?? {}) as Record<string, unknown>, body, size: text.length };
};

const filesIn = (kind: string): readonly Text[] => readdirSync(path.join(folder, kind)).map((file) => read(path.basename(file, '.md'), path.join(kind, file)));

export const commands = filesIn('commands');
export const agents = filesIn('agents');
export const skills = readdirSync(path.join(folder, 'skills')).map((name) => read(name, path.join('skills', name, 'SKILL.md')));
