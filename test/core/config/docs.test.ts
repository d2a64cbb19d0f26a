import { describe, expect, it } from 'vitest';
import { configurationMarkdown } from '../../../src/core/config/docs.ts';
import { configKeys, specOf } from '../../../src/core/config/keys.ts';

describe('docs/configuration.md', () => {
  it('is what the table of settings says; `npx vitest run test/core/config/docs.test.ts -u` writes it anew', async () => {
    await expect(configurationMarkdown()).toMatchFileSnapshot('../../../docs/configuration.md');
  });

  it('names every key or its family', () => {
    const text = configurationMarkdown();
    for (const key of configKeys()) expect(text).toContain(`\`${specOf(key).family ?? key}\``);
  });
});
