import { describe, expect, it } from 'vitest';
import { Exclusion } from '../../../src/capture/keep/exclude.ts';

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

  it('survives any glob', () => {
    for (const glob of ['[', ']', '{', '}', '{a', '[a', '(', '\\', '**', '***', '?*[!a]', '', ' ', '{{a,b},c}', '[]a]'])
      expect(() => new Exclusion([glob]).covers('a/b.txt')).not.toThrow();
  });
});
