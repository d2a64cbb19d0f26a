import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { loadTypeScript, root } from './bundle.js';

/** Writes the layer table of test/project/layers.ts into the two files that repeat it: the page and the linter's overrides. */
const { layerMarkdown } = await loadTypeScript('test/project/layers.ts');
const { layerOverrides } = await loadTypeScript('test/project/lint-rules.ts');

const page = path.join(root, 'docs/architecture.md');
const between = /(<!-- layers:start -->\n)[\s\S]*?(<!-- layers:end -->)/;
const text = readFileSync(page, 'utf8');
if (!between.test(text)) throw new Error('docs/architecture.md has lost its layers:start and layers:end marks');
writeFileSync(
  page,
  text.replace(between, (_, start, end) => `${start}\n${layerMarkdown()}\n\n${end}`),
);

const config = path.join(root, '.oxlintrc.json');
const lint = JSON.parse(readFileSync(config, 'utf8'));
const own = lint.overrides.filter((/** @type {{ rules: object }} */ override) => !('no-restricted-imports' in override.rules));
writeFileSync(config, `${JSON.stringify({ ...lint, overrides: [...own, ...layerOverrides()] }, undefined, 2)}\n`);

console.log('docs/architecture.md and .oxlintrc.json hold the table of test/project/layers.ts; `npm run format` tidies the latter');
