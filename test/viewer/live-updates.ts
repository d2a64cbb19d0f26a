import fs from 'node:fs';
import path from 'node:path';
import { describe } from 'vitest';
import { root } from '../../scripts/bundle.js';
import { SESSION } from './memory.ts';
import { HOME, type OpenedPage } from './opened.ts';
import { plant, shown, visit as go, waiting } from './page.ts';

const SAMPLE = 'tidewatch-3-summer-time.jsonl';

/** A change on the disk appears in every view by itself: no test reloads the page. */
export function checkLiveUpdates(opened: OpenedPage): void {
  const { cli, shows, see } = opened;
  const visit = (address: string): Promise<void> => go(opened.page, address);
  const row = (title: string) => opened.page.locator('.row').filter({ hasText: title }).first();
  const place = (id: string): string => path.join(cli.records, 'preferences', `${id}.md`);

  describe('a change on the disk', () => {
    shows('in the inbox, and how many wait in the menu', async () => {
      await visit('#/webshop/inbox');
      const before = Number(await opened.text('nav .count'));
      plant(cli.records, waiting('live', 'Appeared by itself', 'At once'));
      await shown(row('Appeared by itself'));
      await shown(opened.page.locator('nav .count').getByText(String(before + 1), { exact: true }));
    });

    shows('on a project’s home', async () => {
      await visit(HOME);
      await see('Changed last');
      cli.ask('save', 'decision', 'Deploy on Mondays because the team is there');
      await see('Deploy on Mondays');
    });

    shows('among injections, and in the session that was given something', async () => {
      await visit('#/webshop/injections');
      await see('covers 91 % of the prompt');
      const items = [{ id: 'x', title: 'Fresh', updatedAt: '', score: 0, reasons: ['where the work stands'] }];
      cli.log.note({ at: '2026-03-10T10:00:00Z', session: SESSION, event: 'startup', tokens: 77, items });
      await see('77 tokens');
      await visit(`#/webshop/session/${SESSION}`);
      await see('CI is red since this morning');
      cli.log.note({ at: '2026-03-09T13:05:06Z', session: SESSION, event: 'action', tokens: 55, items });
      await see('55 tokens');
    });

    shows('in a list, in hits and in a record', async () => {
      await visit('#/webshop/search');
      await see('in all, newest first');
      plant(cli.records, { ...waiting('marmalade', 'Marmalade at noon', 'Orange'), at: '2027-01-01T00:00:00Z' });
      await shown(row('Marmalade at noon'));
      await visit('#/webshop/search?q=quince');
      await see('No hits');
      fs.writeFileSync(place('marmalade'), fs.readFileSync(place('marmalade'), 'utf8').replace('Orange', 'Quince'));
      await shown(row('Marmalade at noon'));
      await visit('#/webshop/record/preference/marmalade');
      await see('Quince', '.markdown');
      fs.writeFileSync(place('marmalade'), fs.readFileSync(place('marmalade'), 'utf8').replace('Quince', 'Bergamot'));
      await see('Bergamot', '.markdown');
    });

    shows('in plots, settings and the list of projects', async () => {
      await visit('#/webshop/plots');
      const before = await opened.page.locator('.panel').filter({ hasText: 'Memories' }).locator('header .quiet').innerText();
      plant(cli.records, waiting('plotted', 'Plotted', 'Once more'));
      await see(`${Number.parseInt(before, 10) + 1} records`);
      await visit('#/webshop/settings');
      const setting = opened.page.locator('.setting').filter({ hasText: 'inject.promptTokens' }).first();
      await shown(setting.locator('.badge').getByText('default'));
      const config = path.join(cli.records, 'memory-config.json');
      const set = fs.existsSync(config) ? fs.readFileSync(config, 'utf8') : '{}';
      fs.writeFileSync(config, JSON.stringify({ ...(JSON.parse(set) as object), inject: { promptTokens: 222 } }));
      await shown(setting.locator('.badge').getByText('you, for this project'));
      fs.writeFileSync(config, set);
      await visit('#/');
      await shown(opened.page.locator('.card').filter({ hasText: 'webshop' }));
      const other = path.join(cli.folder, 'lighthouse');
      fs.mkdirSync(other);
      cli.askIn({ cwd: other }, 'save', 'decision', 'Paint it white because it is seen from afar');
      await shown(opened.page.locator('.card').filter({ hasText: 'lighthouse' }).getByText('1 record'));
    });

    shows('among sessions', async () => {
      await visit('#/webshop/sessions');
      await shown(row('prompts'));
      const other = path.join(cli.folder, 'later.jsonl');
      const text = fs.readFileSync(path.join(root, 'assets/samples', SAMPLE), 'utf8');
      const session = JSON.parse(text.slice(0, text.indexOf('\n'))) as { readonly sessionId: string };
      fs.writeFileSync(other, text.replaceAll(session.sessionId, '11111111-2222-4333-8444-555555555555').replaceAll('2026-', '2027-'));
      const before = await opened.page.locator('.row').count();
      cli.ask('import', other, '--project', cli.project);
      await shown(opened.page.locator('.row').nth(before));
    });
  });
}
