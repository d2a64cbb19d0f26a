import type { ToolCall } from '../../core/episode/episode.ts';
import { isOwnTool } from '../../core/episode/injected.ts';
import { cutMiddle, jsonOf, listOf, objectOf, stringOf } from './value.ts';
import type { Json } from '../../core/value.ts';

/** Fields whose values are printed without a name, in this order. Every other field follows with its name. */
const PLAIN_FIELDS = [
  ...['file_path', 'filePath', 'absolute_path', 'notebook_path', 'path', 'command', 'cmd', 'script', 'pattern', 'query', 'url', 'skill'],
  ...[
    'subject',
    'title',
    'label',
    'description',
    'question',
    'prompt',
    'plan',
    'message',
    'content',
    'new_string',
    'newString',
    'new_source',
    'patch',
    'input',
    'text',
  ],
];
const PLACES: ReadonlyMap<string, number> = new Map(PLAIN_FIELDS.map((field, place) => [field, place]));
/** Fields that are left out: the text that an edit replaces, and switches. */
const OMITTED_FIELDS = new Set([
  'old_string',
  'oldString',
  'old_str',
  'timeout',
  'timeout_ms',
  'replace_all',
  'replaceAll',
  'run_in_background',
  'activeForm',
  'multiSelect',
]);
const FILE_FIELDS = new Set(['file_path', 'filePath', 'absolute_path', 'notebook_path', 'target_file', 'path', 'paths', 'file_paths', 'files']);
const PATCH_FIELDS = new Set(['patch', 'patchText', 'input']);
const SEARCHES = /grep|glob|search|find|^ls$|^list|read_many|directory/i;
const PATCHED_FILE = /^\*\*\* (?:(?:Update|Add|Delete) File|Move to): (.+)$/gm;
const MAX_DEPTH = 6;

/** A tool call of any client in readable form. */
export function describeCall(id: string, name: string, input: unknown, limit: number): ToolCall {
  if (isOwnTool(name)) return { id, name, input: '', files: [] };
  const text = cutMiddle(valueText(input, 0).trim(), limit);
  const command = commandOf(objectOf(input));
  const files = SEARCHES.test(name) ? [] : filesOf(input);
  return command === undefined ? { id, name, input: text, files } : { id, name, input: text, files, command };
}

/** Parses arguments that are JSON in a string. */
export const argumentsOf = (value: unknown): unknown => (typeof value === 'string' ? (objectOf(jsonOf(value)) ?? value) : value);

function commandOf(fields: Json | undefined): string | undefined {
  const value = fields?.['command'] ?? fields?.['cmd'];
  if (!Array.isArray(value)) return stringOf(value)?.trim();
  const words = value.filter((word): word is string => typeof word === 'string');
  const isShellCall = words.length === 3 && /(?:^|\/)(?:ba|z|da|k)?sh$/.test(words[0] ?? '') && /^-\w*c$/.test(words[1] ?? '');
  return stringOf(isShellCall ? words[2] : words.join(' '))?.trim();
}

function filesOf(input: unknown): readonly string[] {
  const files = new Set<string>();
  if (typeof input === 'string') addPatchedFiles(files, input);
  else addFiles(files, objectOf(input) ?? {});
  return [...files];
}

function addFiles(files: Set<string>, fields: Json): void {
  for (const field of Object.keys(fields)) {
    const value = fields[field];
    if (FILE_FIELDS.has(field)) for (const path of Array.isArray(value) ? value : [value]) addFile(files, path);
    else if (PATCH_FIELDS.has(field) && typeof value === 'string') addPatchedFiles(files, value);
    else if (field === 'edits') for (const edit of listOf(value)) addFiles(files, objectOf(edit) ?? {});
  }
}

function addPatchedFiles(files: Set<string>, patch: string): void {
  for (const match of patch.matchAll(PATCHED_FILE)) addFile(files, match[1]?.trim());
}

function addFile(files: Set<string>, path: unknown): void {
  if (typeof path === 'string' && path !== '' && path.length < 1_000 && !path.includes('\n')) files.add(path);
}

function valueText(value: unknown, depth: number): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (depth >= MAX_DEPTH || value === null || value === undefined) return '';
  return Array.isArray(value) ? listText(value, depth) : fieldsText(value as Json, depth);
}

function fieldsText(fields: Json, depth: number): string {
  const texts: { readonly place: number; readonly text: string }[] = [];
  for (const field of Object.keys(fields)) {
    if (OMITTED_FIELDS.has(field)) continue;
    const text = field === 'command' || field === 'cmd' ? (commandOf(fields) ?? '') : valueText(fields[field], depth + 1);
    const place = PLACES.get(field);
    if (text !== '') texts.push(place === undefined ? { place: PLAIN_FIELDS.length, text: `${field}: ${text}` } : { place, text });
  }
  if (texts.length === 1) return texts[0]?.text ?? '';
  return texts
    .toSorted((a, b) => a.place - b.place)
    .map(({ text }) => text)
    .join('\n');
}

function listText(values: readonly unknown[], depth: number): string {
  const texts = values.map((value) => valueText(value, depth + 1)).filter((text) => text !== '');
  return texts.some((text) => text.includes('\n')) ? texts.join('\n') : texts.join(', ');
}
