import fs from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import type { OpenedPage } from './opened.ts';
import { gone, shown, visit as go } from './page.ts';

/** Settings with their sources, and every change of one taken back. */
export function checkSettings(opened: OpenedPage): void {
  const { cli, shows, press } = opened;
  const row = (key: string) =>
    opened.page
      .locator('.setting')
      .filter({ has: opened.page.getByText(key, { exact: true }) })
      .first();
  const comesFrom = (key: string, source: string): Promise<void> => shown(row(key).locator('.badge').getByText(source, { exact: true }));
  const value = (key: string): Promise<string> => row(key).locator('.value').innerText();
  const type = async (key: string, to: string, button: string): Promise<void> => {
    await row(key)
      .getByRole('button', { name: `change ${key}` })
      .click();
    await row(key).getByLabel(key, { exact: true }).fill(to);
    await row(key).getByRole('button', { name: button }).click();
  };

  describe('settings', () => {
    shows('each with the level that its value comes from', async () => {
      const shared = path.join(cli.project, '.claude/memory/memory-config.json');
      fs.mkdirSync(path.dirname(shared), { recursive: true });
      fs.writeFileSync(shared, JSON.stringify({ inject: { startTokens: 123 } }));
      await go(opened.page, '#/webshop/settings');
      await comesFrom('inject.promptTokens', 'default');
      await comesFrom('inject.startTokens', 'the repository');
      expect(await value('inject.startTokens')).toBe('123');
      fs.rmSync(path.join(cli.project, '.claude'), { recursive: true });
      await comesFrom('inject.startTokens', 'default');
    });

    shows('one that is set here, set for all projects and reset; each is taken back', async () => {
      const key = 'inject.promptTokens';
      await type(key, '321', 'Set here');
      await comesFrom(key, 'you, for this project');
      expect(await value(key)).toBe('321');
      await row(key)
        .getByRole('button', { name: `reset ${key}` })
        .click();
      await comesFrom(key, 'default');
      await press('Escape', 'u');
      await comesFrom(key, 'you, for this project');
      expect(await value(key)).toBe('321');
      await press('u');
      await comesFrom(key, 'default');
      await type(key, '456', 'Set for all projects');
      await comesFrom(key, 'you, for all projects');
      expect(fs.readFileSync(path.join(cli.home, 'settings.json'), 'utf8')).toContain('456');
      await press('Escape', 'u');
      await comesFrom(key, 'default');
    });

    shows('a value that does not fit is refused in words; one that starts a program is left to a terminal', async () => {
      await type('inject.promptTokens', 'many', 'Set here');
      await shown(opened.page.locator('.toast.error').getByText('inject.promptTokens').first());
      await comesFrom('inject.promptTokens', 'default');
      await row('inject.promptTokens').getByRole('button', { name: 'Cancel' }).click();
      expect(await row('model.command').getByRole('button').count()).toBe(0);
      await opened.page.getByLabel('Find a setting').fill('model.command');
      await gone(row('inject.promptTokens'));
      await opened.page.getByLabel('Find a setting').fill('');
    });
  });
}
