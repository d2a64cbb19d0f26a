import fs from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { SESSION } from './memory.ts';
import { HOME, type OpenedPage, RUNBOOK } from './opened.ts';
import { visit as go } from './page.ts';

/** What holds in every view: nothing of a memory runs, every key is named, it reads in the dark, on a phone and aloud. */
export function checkForAnyone(opened: OpenedPage): void {
  const { faults, shows, text, see, press } = opened;
  const visit = (address: string): Promise<void> => go(opened.page, address);

  describe('a record full of scripts', () => {
    shows('shows them as text, in every view, and runs none', async () => {
      for (const address of ['#/webshop/record/preference/hostile', '#/webshop/inbox', '#/webshop/search?q=hostile']) {
        await visit(address);
        await see('Hostile <img src=x');
      }
      await opened.page.locator('.row').filter({ hasText: 'Hostile' }).first().locator('a').click();
      await opened.page.locator('.markdown').getByText('window.hit = 1').first().waitFor();
      expect(await opened.page.evaluate('window.hit')).toBeUndefined();
      expect(
        await opened.page
          .locator('.markdown')
          .locator('script, img, svg, style, iframe, form, input, base, meta, [style], [onerror], [onload], [id], [class]')
          .count(),
      ).toBe(0);
      const links = await opened.page.locator('.markdown a').evaluateAll((all) => all.map((one) => one.getAttribute('href')));
      expect(links.filter((href) => href !== null && !/^https?:|^mailto:/.test(href))).toEqual([]);
      expect(await opened.page.locator('body').evaluate((body) => `${body.offsetWidth > 0}`)).toBe('true');
    });
  });

  const VIEWS = ['', '/injections', '/inbox', '/search?q=database', '/search', `/record/${RUNBOOK}`, '/sessions', `/session/${SESSION}`, '/settings', '/plots'];

  describe('anyone', () => {
    shows('finds every key behind ?', async () => {
      await visit('#/webshop/inbox');
      await opened.page.locator('.list .row').first().click();
      await press('?');
      const help = await text('dialog.help');
      for (const key of ['j', 'k', 'a', 'e', 'm', 'r', 'u', '?']) expect(help.split(/\s+/)).toContain(key);
      await press('Escape');
    });

    shows('reads it in the dark, and at 360 pixels without scrolling sideways', async () => {
      const light = await opened.page.evaluate('getComputedStyle(document.body).backgroundColor');
      await opened.page.emulateMedia({ colorScheme: 'dark' });
      expect(await opened.page.evaluate('getComputedStyle(document.body).backgroundColor')).not.toBe(light);
      await opened.page.setViewportSize({ width: 360, height: 740 });
      for (const view of VIEWS) {
        await visit(`${HOME}${view}`);
        await opened.page.locator('.view').first().waitFor();
        expect(await opened.page.evaluate('document.documentElement.scrollWidth'), view).toBeLessThanOrEqual(360);
      }
      await opened.page.emulateMedia({ colorScheme: 'light' });
      await opened.page.setViewportSize({ width: 1280, height: 800 });
    });

    shows('with a screen reader: axe finds nothing serious in any view, light or dark', async () => {
      const shots = process.env['HOLDFAST_SHOTS'];
      const axe = fs.readFileSync(path.resolve(import.meta.dirname, '../../node_modules/axe-core/axe.min.js'), 'utf8');
      await opened.page.evaluate(axe);
      for (const colorScheme of ['light', 'dark'] as const) {
        await opened.page.emulateMedia({ colorScheme });
        for (const view of [...VIEWS.map((one) => `${HOME}${one}`), '#/']) {
          await visit(view);
          await opened.page.locator('.view').first().waitFor();
          await opened.page.locator('.loading').waitFor({ state: 'detached' });
          if (shots !== undefined) await opened.page.screenshot({ path: path.join(shots, `${view.replaceAll(/\W+/g, '-')}-${colorScheme}.png`) });
          // Only colours differ in the dark.
          const rules = colorScheme === 'dark' ? ", runOnly: ['color-contrast']" : '';
          const found = (await opened.page.evaluate(`axe.run(document, { resultTypes: ['violations']${rules} }).then(({ violations }) => violations
          .filter(({ impact }) => impact === 'serious' || impact === 'critical')
          .map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html, any }) => html.slice(0, 160) + ' ' + (any[0]?.message ?? '')).join(' | ')))`)) as string[];
          expect(found, `${view} ${colorScheme}`).toEqual([]);
        }
      }
    });

    shows('meets no fault of the page in all this', async () => {
      expect(faults.filter((fault) => !/40[349]|422|Failed to load resource/.test(fault))).toEqual([]);
    });
  });
}
