import fs from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import type { OpenedPage } from './opened.ts';
import { gone, plant, shown, visit as go, waiting } from './page.ts';

/** Everything that can be done to a record on its page, and taken back. */
export function checkRecordActs(opened: OpenedPage): void {
  const { cli, shows, see, press, file } = opened;
  const visit = async (id: string, title: string): Promise<void> => {
    await go(opened.page, `#/webshop/record/${id}`);
    await shown(opened.page.getByRole('heading', { name: title }));
  };

  describe('acts on a record', () => {
    shows('is retired, undone with u, edited, and its history takes that back', async () => {
      await visit('preference/new-way', 'The new way');
      await opened.page.getByRole('button', { name: 'Retire' }).click();
      await shown(opened.page.getByRole('button', { name: 'Restore' }));
      expect(file('preferences/new-way.md')).toContain('record_status: retired');
      await press('u');
      await shown(opened.page.getByRole('button', { name: 'Retire' }));
      expect(file('preferences/new-way.md')).toContain('record_status: active');
      await press('e');
      const area = opened.page.getByLabel('Text of the record');
      await shown(area);
      const behindCursor = "(({ value, selectionStart }) => value.slice(selectionStart))(document.querySelector('textarea'))";
      expect(await opened.page.evaluate(behindCursor)).toMatch(/^# The new way/);
      await area.fill((await area.inputValue()).replace('Tabs', 'Tabs of four'));
      await opened.page.getByRole('button', { name: /^Save/ }).click();
      await see('Tabs of four', '.markdown');
      await opened.page.locator('.history').getByRole('button', { name: 'undo' }).first().click();
      await gone(opened.page.locator('.markdown').getByText('Tabs of four'));
      expect(file('preferences/new-way.md')).not.toContain('Tabs of four');
    });

    shows('is archived, brought back, restored and confirmed; each is taken back', async () => {
      await visit('preference/new-way', 'The new way');
      const place = 'preferences/new-way.md';
      const does = async (button: string, then: string, written: string): Promise<void> => {
        await opened.page.getByRole('button', { name: button, exact: true }).click();
        await shown(opened.page.getByRole('button', { name: then, exact: true }));
        expect(file(place)).toContain(written);
      };
      const undone = async (button: string, written: string): Promise<void> => {
        await press('u');
        await shown(opened.page.getByRole('button', { name: button, exact: true }));
        expect(file(place)).toContain(written);
      };
      await does('Archive', 'Bring back', 'record_status: archived');
      await does('Bring back', 'Archive', 'record_status: active');
      await undone('Bring back', 'record_status: archived');
      await undone('Archive', 'record_status: active');
      await does('Retire', 'Restore', 'record_status: retired');
      await does('Restore', 'Retire', 'record_status: active');
      await undone('Restore', 'record_status: retired');
      await undone('Retire', 'record_status: active');
      plant(cli.records, waiting('unsure', 'Not sure yet', 'Maybe', ['origin:', '  channel: import']));
      await visit('preference/unsure', 'Not sure yet');
      await opened.page.getByRole('button', { name: /^Confirm/ }).click();
      await gone(opened.page.getByRole('button', { name: /^Confirm/ }));
      expect(file('preferences/unsure.md')).toContain('trust: confirmed');
      await press('u');
      await shown(opened.page.getByRole('button', { name: /^Confirm/ }));
      expect(file('preferences/unsure.md')).toContain('trust: observed');
      fs.rmSync(path.join(cli.records, 'preferences/unsure.md'));
    });

    shows('one that waits is accepted and rejected by key on its own page; each is taken back', async () => {
      await visit('preference/tabs', 'Tabs for indentation');
      const waits = opened.page.getByRole('button', { name: /^Accept/ });
      for (const [key, written] of [
        ['a', 'trust: confirmed'],
        ['r', 'record_status: retired'],
      ] as const) {
        await shown(waits);
        await press(key);
        await gone(waits);
        expect(file('preferences/tabs.md')).toContain(written);
        await press('u');
        await shown(waits);
        expect(file('preferences/tabs.md')).toMatch(/record_status: active[^]*trust: observed/);
      }
    });

    shows('an undone change is made again from the history; a verdict is given on its page and taken back', async () => {
      await visit('preference/new-way', 'The new way');
      const history = opened.page.locator('.history');
      await opened.page.getByRole('button', { name: 'Archive', exact: true }).click();
      await shown(opened.page.getByRole('button', { name: 'Bring back', exact: true }));
      await history.getByRole('button', { name: 'undo', exact: true }).first().click();
      await shown(opened.page.getByRole('button', { name: 'Archive', exact: true }));
      await history.getByRole('button', { name: 'redo', exact: true }).first().click();
      await shown(opened.page.getByRole('button', { name: 'Bring back', exact: true }));
      expect(file('preferences/new-way.md')).toContain('record_status: archived');
      await press('u');
      await shown(opened.page.getByRole('button', { name: 'Archive', exact: true }));
      expect(file('preferences/new-way.md')).toContain('record_status: active');
      await opened.page.getByRole('button', { name: 'outdated: preference/new-way' }).click();
      await shown(opened.page.locator('.verdict .outdated b'));
      await press('u');
      await gone(opened.page.locator('.verdict .outdated b'));
      expect(cli.log.verdicts(['preference/new-way']).size).toBe(0);
    });

    shows('what was changed on the disk since is not undone: the page says why, and the text stays', async () => {
      await visit('preference/new-way', 'The new way');
      await opened.page.getByRole('button', { name: 'Retire' }).click();
      await shown(opened.page.getByRole('button', { name: 'Restore' }));
      const place = path.join(cli.records, 'preferences/new-way.md');
      const retired = fs.readFileSync(place, 'utf8');
      fs.writeFileSync(place, retired.replace('Tabs', 'Elastic tabs'));
      await see('Elastic tabs', '.markdown');
      await press('u');
      await shown(opened.page.locator('.toast.error').getByText('changed since'));
      expect(file('preferences/new-way.md')).toContain('Elastic tabs');
      fs.writeFileSync(place, retired);
      await gone(opened.page.locator('.markdown').getByText('Elastic tabs'));
      await opened.page.getByRole('button', { name: 'Restore' }).click();
      await shown(opened.page.getByRole('button', { name: 'Retire' }));
    });

    shows('a text that was changed on the disk meanwhile is shown beside mine, and not overwritten', async () => {
      await visit('preference/new-way', 'The new way');
      await press('e');
      const area = opened.page.getByLabel('Text of the record');
      await area.fill((await area.inputValue()).replace('Tabs', 'Mine'));
      const place = path.join(cli.records, 'preferences/new-way.md');
      fs.writeFileSync(place, fs.readFileSync(place, 'utf8').replace('Tabs', 'Theirs'));
      await opened.page.getByRole('button', { name: /^Save/ }).click();
      await shown(opened.page.locator('.conflict .removed').getByText('Theirs'));
      await shown(opened.page.locator('.conflict .added').getByText('Mine'));
      expect(file('preferences/new-way.md')).toContain('Theirs');
      await opened.page.getByRole('button', { name: /^Keep mine/ }).click();
      await opened.page.getByRole('button', { name: /^Save/ }).click();
      await see('Mine', '.markdown');
      await press('u');
      await see('Theirs', '.markdown');
    });
  });
}
