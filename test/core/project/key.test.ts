import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashProjectPath } from '../../../src/core/project/folder.ts';
import { projectKey } from '../../../src/core/project/identity.ts';

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

const anyCharacter = fc.integer({ min: 0, max: 0x10ffff }).map((point) => String.fromCodePoint(point));

describe('project key', () => {
  it.each([
    ['~/workspace/korweb_companion_app', 'korweb-companion-app'],
    ['~/projects/my-cool-app', 'my-cool-app'],
    ['/home/me/My App/', 'my-app'],
    ['C:\\Users\\me\\My_App', 'my-app'],
    ['/srv/Next.js_Site', 'next.js-site'],
    ['/srv/example.com', 'example.com'],
    ['/home/me/Größe', 'groe'],
    ['/home/me/.claude', 'claude'],
    ['/home/me/a..b.', 'a.b'],
    ['/home/me/-home-me-app', 'home-me-app'],
    ['/', 'root'],
    ['', 'root'],
    ['C:\\', 'root'],
    ['/srv/con', 'con-project'],
    ['/srv/nul.d', 'nul-d-project'],
    ['/srv/決定', `x-${md5('決定').slice(0, 10)}`],
  ])('of %j is %j', (path, key) => expect(projectKey(path, md5)).toBe(key));

  it('is always a safe folder name that no client folder has', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 120 }), (path) => {
        expect(projectKey(path, md5)).toMatch(/^(?!.*\.\.)[a-z0-9](?:[a-z0-9.-]{0,87}[a-z0-9])?$/);
      }),
    );
  });
});

describe('project hash', () => {
  it.each([
    ['E:/Dropbox/1_Forex/Programmazione/NexusArb', 'f6534e494108'],
    ['E:\\Dropbox\\1_Forex\\Programmazione\\NexusArb\\', 'f6534e494108'],
    ['/home/User/App', '4c37c7c3c5ec'],
    ['/home/user/app//', '4c37c7c3c5ec'],
    ['/', 'd41d8cd98f00'],
  ])('of %j is %j', (path, hash) => expect(hashProjectPath(path, md5)).toBe(hash));
});
