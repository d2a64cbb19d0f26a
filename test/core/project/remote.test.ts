import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalRemote } from '../../../src/core/project/folder.ts';

describe('normalised remote', () => {
  it.each([
    'git@github.com:owner/name.git',
    'git@GitHub.com:owner/name',
    'ssh://git@github.com/owner/name.git',
    'ssh://git@github.com:22/owner/name.git',
    'git+ssh://git@github.com/owner/name',
    'https://github.com/owner/name',
    'https://github.com/owner/name.git/',
    'https://user:secret@github.com:443/owner/name.git',
    'http://token@github.com/owner//name.git',
    'git://github.com:9418/owner/name.git',
    '  github.com:owner/name.git \n',
  ])('%j is one and the same', (url) => expect(normalRemote(url)).toBe('github.com/owner/name'));

  it.each([
    ['ssh://git@host:2222/a/b.git', 'host:2222/a/b'],
    ['https://host:8443/a/b.git', 'host:8443/a/b'],
    ['https://host/A/B.git', 'host/A/B'],
    ['https://host/my%20repo.git', 'host/my repo'],
    ['https://host/100%/x.git', 'host/100%/x'],
    ['ssh://[::1]:22/a.git', '[::1]/a'],
    ['git@[::1]:a.git', '[::1]/a'],
    ['git@host:/abs/a.git', 'host/abs/a'],
    ['/srv/git/a.git', 'file:/srv/git/a'],
    ['file:///srv/git/a.git', 'file:/srv/git/a'],
    ['../a', 'file:/../a'],
    ['C:\\git\\a.git', 'file:/C:/git/a'],
    ['C:/git/a', 'file:/C:/git/a'],
    ['', undefined],
    ['   ', undefined],
    ['https://', undefined],
  ])('%j is %j', (url, normal) => expect(normalRemote(url)).toBe(normal));

  it('carries no credentials and never throws', () => {
    fc.assert(fc.property(fc.string({ maxLength: 80 }), (text) => void normalRemote(text)));
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,8}$/), fc.stringMatching(/^[A-Za-z0-9_%.-]{8,20}$/), (user, secret) => {
        expect(normalRemote(`https://${user}:${secret}@example.org/a/b.git`)).toBe('example.org/a/b');
      }),
    );
  });
});
