import { describe, expect, it } from 'vitest';
import { Exclusion } from '../../../src/capture/cleaning/exclude.ts';

const CASES: readonly (readonly [glob: string, covered: readonly string[], free: readonly string[]])[] = [
  ['*.env', ['.env', 'prod.env', 'deep/er/local.env', '/home/dev/app/x.env'], ['env', 'prod.env.ts', 'environment']],
  ['secrets/**', ['secrets/a', 'secrets/b/c.txt', '/home/dev/app/secrets/a'], ['src/secrets.ts', 'other/secrets/a']],
  ['**/private/*.md', ['private/a.md', 'docs/private/b.md'], ['private/a.txt', 'private.md']],
  ['docs/{draft,legal}/*', ['docs/draft/a', 'docs/legal/b'], ['docs/public/a']],
  ['file?.txt', ['file1.txt', 'x/fileA.txt'], ['file.txt', 'file12.txt']],
  ['[ab]*.key', ['a1.key', 'sub/b.key'], ['c.key']],
  ['.ssh', ['.ssh', '.ssh/id_rsa', 'home/.ssh/config'], ['ssh', '.sshrc']],
  ['C:\\Vault\\*', ['C:/Vault/x'], ['D:/Vault/x']],
];

describe('capture.exclude', () => {
  it.each(CASES)('%s', (glob, covered, free) => {
    const exclusion = new Exclusion([glob], '/home/dev/app');
    expect(covered.filter((file) => !exclusion.covers(file))).toEqual([]);
    expect(free.filter((file) => exclusion.covers(file))).toEqual([]);
  });

  it('without globs leaves a message as it is', () => {
    const message = { id: '1', sessionId: 's', role: 'tool', text: 'x' } as const;
    expect(new Exclusion([]).of(message)).toBe(message);
  });

  it.each([
    ['cd secrets && cat plan.md', true],
    ['grep -r token "/home/dev/app/secrets"', true],
    ['tree docs/legal/', true],
    ['cd src && cat secrets.ts', false],
    ['git commit -m "secrets: none"', false],
  ])('a command that goes into an excluded folder is left out with its answer: %s', (command, isLeftOut) => {
    const exclusion = new Exclusion(['secrets/**', 'docs/legal/*'], '/home/dev/app');
    const call = { id: 'call', name: 'Bash', input: command, files: [], command };
    const asked = exclusion.of({ id: '1', sessionId: 's', role: 'assistant', text: '', toolCalls: [call] });
    const answered = exclusion.of({ id: '2', sessionId: 's', role: 'tool', text: 'the plan', answers: 'call' });
    expect([asked.toolCalls?.[0]?.command === undefined, answered.text !== 'the plan']).toEqual([isLeftOut, isLeftOut]);
  });

  it('what is said of an excluded folder elsewhere than in a command stays', () => {
    const call = { id: 'call', name: 'Task', input: 'look at secrets and docs', files: [] };
    const message = { id: '1', sessionId: 's', role: 'assistant', text: '', toolCalls: [call] } as const;
    expect(new Exclusion(['secrets/**']).of(message)).toEqual(message);
  });

  it('survives any glob', () => {
    for (const glob of ['[', ']', '{', '}', '{a', '[a', '(', '\\', '**', '***', '?*[!a]', '', ' ', '{{a,b},c}', '[]a]'])
      expect(() => new Exclusion([glob]).covers('a/b.txt')).not.toThrow();
  });
});
