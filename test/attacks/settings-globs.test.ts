import { expect } from 'vitest';
import { globMatcher } from '../../src/capture/cleaning/exclude.ts';
import { globFault } from '../../src/core/config/check.ts';
import { effectiveConfig } from '../../src/core/config/effective.ts';
import { attack } from './attack.ts';

/** Globs that take a matcher made of regular expressions seconds or for ever, or make it throw. */
const BOMBS = [
  '**/**/**/**/**/**/x',
  '*a*a*a*a*a*a*a*a/x',
  'a*a*a*a*a*a*a*a*a*b',
  '(a+)+b',
  '(a|aa)+$',
  '+(a|a)*b',
  '[z-a].txt',
  '[',
  '[]',
  '[!]',
  '[[:__proto__:]]',
  '{a,{b,{c,{d}}}}',
  '{{{{{{{{a,b}',
  '{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}',
  '{,,,,,,,,}'.repeat(20),
  '{a',
  'a}',
  '\\',
  'a\\',
  '?'.repeat(500),
  '*'.repeat(500),
  '**/'.repeat(100),
  '../../../../**',
  '/**/**/**',
  '\u202e*.env',
  '$^|()+.',
  '__proto__',
];
const PATHS = ['a/'.repeat(1_000), 'a'.repeat(4_000), 'a/b/'.repeat(1_000), `${'a'.repeat(2_000)}/y`, 'x', ''];
attack(
  'settings',
  'a glob bomb is refused, or matched at once',
  BOMBS.map((glob) => [JSON.stringify(glob.slice(0, 30)), glob]),
  (glob) => {
    if (globFault(glob) !== undefined) {
      const config = effectiveConfig({ shared: { capture: { exclude: [glob] } } });
      expect(config.get('capture.exclude')).toEqual([]);
      return;
    }
    // A matcher that backtracks would still be at the first of them.
    const covers = globMatcher(glob);
    for (const one of PATHS) expect(typeof covers(one)).toBe('boolean');
  },
);
