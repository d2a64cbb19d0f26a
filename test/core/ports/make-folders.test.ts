import { expect, test } from 'vitest';
import { makeFolders } from '../../../src/core/ports/make-folders.ts';

const above = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/';

test('a folder is made although another process makes its parent at the same moment', () => {
  const folders = new Set(['/']);
  makeFolders('/home/state', {
    make: (folder) => {
      if (!folders.has(above(folder))) {
        folders.add(above(folder));
        throw new Error(`ENOENT: mkdir '${folder}'`);
      }
      folders.add(folder);
    },
    isFolder: (path) => folders.has(path),
    exists: (path) => folders.has(path),
    above,
  });
  expect([...folders]).toEqual(['/', '/home', '/home/state']);
});

test('a name that the system refuses is refused with its error, and not tried for ever', () => {
  let tries = 0;
  const refuse = (): never => {
    tries += 1;
    throw new Error('ENOENT: refused');
  };
  expect(() => makeFolders('/proc/x/y', { make: refuse, isFolder: (path) => path === '/proc', exists: (path) => path === '/proc', above })).toThrow('refused');
  expect(tries).toBeLessThan(6);
});
