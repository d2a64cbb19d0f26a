import { expect } from 'vitest';
import { categoryFrom } from '../../src/core/record/category.ts';
import { inert, inertJson } from '../../src/edges/cli/paint.ts';
import { lastingProgram } from '../edges/cli/program.ts';
import { attack } from './attack.ts';

/** Characters that make a terminal act, or show its reader another text than is there. */
const ACTING = [
  ...[
    '\u0000',
    '\u0007',
    '\u0008',
    '\r',
    '\u001b[2J',
    '\u001b]0;title\u0007',
    '\u001b]8;;http://evil.example\u0007',
    '\u007f',
    '\u0085',
    '\u009b31m',
    '\u009d',
  ],
  ...['\u00ad', '\u061c', '\u180e', '\u200b', '\u200c', '\u200d', '\u200e', '\u200f', '\u2028', '\u2029'],
  ...['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2060', '\u2061', '\u2064', '\u2066', '\u2067', '\u2068', '\u2069', '\u206a', '\u206f'],
  ...['\u115f', '\u3164', '\uffa0', '\ufe00', '\ufeff', '\ufff9', '\ufffb', '\u{e0001}', '\u{e0041}', '\u{1d173}'],
];
const named = (text: string): string => [...text].map((char) => `U+${char.codePointAt(0)?.toString(16)}`).join(' ');

attack(
  'terminal',
  'a character that acts or hides is shown, in lines and in JSON',
  ACTING.map((text) => [named(text).slice(0, 40), text]),
  (text) => {
    const planted = `user${text}resu`;
    expect(inert(planted)).toMatch(/^[ -~]+$/);
    expect(inert(planted)).toContain('\\');
    const json = inertJson({ title: planted });
    expect(json).toMatch(/^[ -~]+$/);
    expect(JSON.parse(json)).toEqual({ title: planted });
  },
);

const SEEN = ['Grüße', '日本語', 'עברית', 'العربية', '👩‍💻', '👍🏽', '❤️', 'a\tb\nc', 'İstanbul', '🏳️‍🌈'];

attack(
  'terminal',
  'text that people write stays as it is',
  SEEN.map((text) => [text.replaceAll(/\s/g, ' '), text]),
  (text) => expect(inert(text)).toBe(text),
);

const NO_CATEGORIES = [
  '__proto__',
  '--proto--',
  '__PROTO__',
  'constructor',
  'constructors',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'prototype',
  '__defineGetter__',
  'decision\u0000',
  ' decision',
];

attack(
  'terminal',
  'the name of a property of every object is no category',
  NO_CATEGORIES.map((word) => [JSON.stringify(word), word]),
  (word) => expect(categoryFrom(word)).toBeUndefined(),
);

const cli = lastingProgram();

attack(
  'terminal',
  'a command refuses such a category',
  [
    ['save', '__proto__', 'polluted because of it'],
    ['search', 'x', '--category', '__proto__'],
    ['write', '--action', 'create', '--category', 'constructor', '--target', 'decisions/x.md', '--input', '-'],
    ['config', 'set', 'categories.__proto__.enabled', 'true'],
    ['config', 'set', 'triage.parallel.category_models', '{"__proto__": "x"}'],
    ['candidate', '--category', '__proto__', '--new-info', 'x'],
  ].map((argv) => [argv.join(' '), argv]),
  (argv) => {
    const { code, out } = cli.run(...argv, '--json');
    expect(code).not.toBe(0);
    expect(JSON.parse(out)).toMatchObject({ ok: false, error: expect.stringMatching(/^(?:VALIDATION|USAGE|CONFIG|INPUT)_ERROR$/) });
  },
);
