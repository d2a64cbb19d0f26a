import { expect } from 'vitest';
import { lastingProgram } from '../edges/cli/program.ts';
import { attack } from './attack.ts';

const cli = lastingProgram();

const IDS = [
  '../../../../etc/passwd',
  'decision/../../../../etc/passwd',
  '/etc/passwd',
  'decisions/..%2f..%2fetc%2fpasswd',
  '..\\..\\windows\\win.ini',
  'decision/\u0000',
  '__proto__',
  'constructor/prototype',
  'decision/-rf',
  '~/.ssh/id_rsa',
  'file:///etc/passwd',
  `decision/${'a'.repeat(5_000)}`,
];

attack(
  'terminal',
  'an id that leads elsewhere finds nothing',
  IDS.filter((id) => !id.includes('\u0000')).map((id) => [JSON.stringify(id.slice(0, 40)), id]),
  (id) => {
    const { code, out } = cli.run('show', '--json', '--', id);
    expect([1, 2, 4]).toContain(code);
    expect(out).not.toContain('root:');
  },
);
