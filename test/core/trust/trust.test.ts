import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { HIGHEST_TRUST, mayConfirm, stagedTrust, storedTrust, trustFrom, type TrustSource, writtenTrust } from '../../../src/core/trust/trust.ts';
import { isAgentShell } from '../../../src/core/trust/agent-shell.ts';

const TREE = path.join(import.meta.dirname, '..', '..', '..');
const sources = Object.keys(HIGHEST_TRUST) as TrustSource[];

describe('the table of trust', () => {
  it('stands in docs/security.md, row by row', () => {
    const page = fs.readFileSync(path.join(TREE, 'docs', 'security.md'), 'utf8');
    const rows = [...page.matchAll(/^\| `([a-z-]+)` \|[^|]*\| (\w+) \|/gm)].map(([, source, trust]) => [source, trust]);
    expect(Object.fromEntries(rows)).toEqual(HIGHEST_TRUST);
  });

  it('is the only place in the source that gives a trust', () => {
    const files = fs.readdirSync(path.join(TREE, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const giving = files.filter((name) => {
      const text = fs.readFileSync(path.join(TREE, 'src', name), 'utf8');
      return (
        !name.startsWith(path.join('core', 'trust')) &&
        /\btrust\b['"\]]*\s*(?:\?\?=|\|\|=|[:=?](?!=))[^,;\n]*['"](?:confirmed|observed|quarantined)['"]/.test(withoutReading(text))
      );
    });
    expect(giving).toEqual([]);
  });

  it.each(sources)('%s never gives more than its row, whatever a record claims', (source) => {
    const order = ['quarantined', 'observed', 'confirmed'];
    for (const claimed of ['quarantined', 'observed', 'confirmed'] as const) {
      expect(order.indexOf(trustFrom(source, claimed))).toBeLessThanOrEqual(order.indexOf(HIGHEST_TRUST[source]));
      expect(order.indexOf(trustFrom(source, claimed))).toBeLessThanOrEqual(order.indexOf(claimed));
    }
  });
});

/** Weights, filters and schemas read a trust; they give none. */
const withoutReading = (text: string): string =>
  text
    .replace(/[!=]== ?'(?:confirmed|observed|quarantined)'/g, '')
    .replace(/status: '\w+'/g, '')
    .replace(/trust: (?:z\.|\{ confirmed:).*/g, '');

it.each([
  ['command', 'confirmed', 'confirmed'],
  ['shell', 'confirmed', 'observed'],
  ['agent', 'confirmed', 'observed'],
  ['capture', 'confirmed', 'observed'],
  ['git', 'confirmed', 'observed'],
  ['migration', 'confirmed', 'observed'],
  ['somebody', 'confirmed', 'observed'],
  ['__proto__', 'confirmed', 'observed'],
  ['agent', 'quarantined', 'quarantined'],
  ['command', 'quarantined', 'quarantined'],
  ['agent', undefined, undefined],
  ['agent', 'Confirmed', undefined],
])('what %s writes as %s is %s', (actor, claimed, trust) => expect(writtenTrust(actor, claimed)).toBe(trust));

it('only a person confirms', () => {
  expect(['command', 'library'].filter(mayConfirm)).toEqual(['command', 'library']);
  expect(['shell', 'agent', 'capture', 'hook', 'import', 'hand', 'git', 'migration', 'x', 'constructor'].filter(mayConfirm)).toEqual([]);
});

it('a shared record is never confirmed, and what is unclear in a staged file is quarantined', () => {
  expect([storedTrust(true, 'confirmed'), storedTrust(true, 'quarantined'), storedTrust(false, 'confirmed'), storedTrust(false, undefined)]).toEqual([
    'observed',
    'quarantined',
    'confirmed',
    'observed',
  ]);
  expect([stagedTrust('observed'), stagedTrust('quarantined'), stagedTrust('confirmed'), stagedTrust(undefined)]).toEqual([
    'observed',
    'quarantined',
    'quarantined',
    'quarantined',
  ]);
});

it('a terminal of a person has no mark of an agent', () => {
  expect(isAgentShell({ PATH: '/bin', TERM: 'xterm', CLAUDECODE: '', AGENT: '0', CODEX_HOME: '/x', CURSOR_TRACE_ID: 'x', CLAUDE_CONFIG_DIR: '/x' })).toBe(
    false,
  );
});
