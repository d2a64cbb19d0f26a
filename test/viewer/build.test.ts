import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { buildViewer } from '../../scripts/build.js';
import { root } from '../../scripts/bundle.js';

const built = await buildViewer('dist/viewer', { write: false });
const outputFiles = built.outputFiles ?? [];
const sources = readdirSync(path.join(root, 'viewer'), { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));

test('each page is one script, both share one style sheet, under 150 KB and 10 KB compressed', () => {
  const sizes = Object.fromEntries(outputFiles.map(({ path: file, contents }) => [path.basename(file), gzipSync(contents, { level: 9 }).length / 1024]));
  expect(Object.keys(sizes).toSorted()).toEqual(['team.js', 'view.css', 'view.js']);
  expect(Math.max(sizes['view.js'] ?? Infinity, sizes['team.js'] ?? Infinity)).toBeLessThan(150);
  expect(sizes['view.css']).toBeLessThan(10);
});

test('they fetch nothing from elsewhere', () => {
  const own = Object.values(built.metafile.outputs).flatMap(({ imports }) => imports);
  expect(own).toEqual([]);
  const style = outputFiles.find(({ path: file }) => file.endsWith('.css'))?.text ?? '';
  expect(style).not.toMatch(/url\(|@import/);
});

test('they import nothing of src but the types of the contracts', () => {
  for (const file of sources) {
    const { program } = parseSync(file, readFileSync(path.join(root, 'viewer', file), 'utf8'));
    const outside = program.body.filter((node) => node.type === 'ImportDeclaration' && /\/src\//.test(node.source.value));
    for (const node of outside)
      expect([file, node.type === 'ImportDeclaration' && node.importKind, node.type === 'ImportDeclaration' && node.source.value]).toEqual([
        file,
        'type',
        expect.stringMatching(/^(?:\.\.\/)+src\/edges\/(?:http|team)\/contract\.ts$/),
      ]);
  }
  expect(sources.length).toBeGreaterThan(15);
});
