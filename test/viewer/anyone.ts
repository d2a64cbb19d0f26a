import fs from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { SESSION } from './memory.ts';
import { HOME, type OpenedPage, RUNBOOK } from './opened.ts';
import { gone, shown, visit as go } from './page.ts';

const FILLER = { id: 'decision/filler', title: '', updatedAt: '', score: 1, reasons: ['covers 91 % of the prompt (+1.00)'] };

/** Checks for every view: no script of a memory runs, every key is named, and it reads well in dark mode, on a phone and with a screen reader. */
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
      await shown(opened.page.locator('.markdown').getByText('window.hit = 1').first());
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

  describe('a memory with nothing in it', () => {
    shows('in each view why it is empty and what to do', async () => {
      for (const [view, title, hint] of [
        ['', 'Nothing is remembered here yet', 'holdfast import'],
        ['/injections', 'Nothing was injected yet', 'holdfast start'],
        ['/inbox', 'Nothing waits for you', 'holdfast drafts'],
        ['/search', 'Nothing is remembered here yet', 'holdfast save'],
        ['/search?q=anything', 'No hits', 'Try fewer words'],
        ['/sessions', 'No conversations yet', 'holdfast import'],
        ['/plots', 'Nothing to plot yet', 'Plots show'],
        ['/record/decision/none', 'decision/none', 'search'],
        ['/session/none', 'none', 'sessions'],
        ['/nowhere', 'Page not found', 'All projects'],
      ] as const) {
        await visit(`#/~user${view}`);
        await see(title, '.empty h2');
        await see(hint, '.empty');
      }
    });
  });

  describe('the user’s own memory', () => {
    shows('preferences and what was changed last, without a project’s panels', async () => {
      opened.cli.ask('save', 'preference', 'Short functions', '--user');
      await visit('#/~user');
      for (const title of ['Preferences', 'Changed last'])
        await shown(opened.page.locator('.panel').filter({ hasText: title }).getByText('Short functions').first());
      expect(await opened.page.locator('.panel').count()).toBe(2);
      await visit('#/');
      expect(await opened.page.locator('.card h2').last().innerText()).toBe('You, in every project');
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
      const isAt = (address: string): Promise<void> => opened.page.waitForURL((url) => url.hash === address);
      // The search view takes the focus for its question.
      const leaveQuestion = async (): Promise<void> => {
        await shown(opened.page.locator('input[type=search]:focus'));
        await press('Escape');
      };
      for (const [at, view] of ['', '/injections', '/inbox', '/search', '/sessions', '/plots', '/settings'].entries()) {
        await press(String(at + 1));
        await isAt(`${HOME}${view}`);
        if (view === '/search') await leaveQuestion();
      }
      await press('/');
      await isAt(`${HOME}/search`);
      await leaveQuestion();
      await press('/');
      await leaveQuestion();
      await press('0');
      await isAt('#/');
      await press('/');
      await isAt('#/~user/search?all=1');
      await leaveQuestion();
    });

    shows('reads it in the dark, and at 360 pixels without scrolling sideways', async () => {
      const light = await opened.page.evaluate('getComputedStyle(document.body).backgroundColor');
      await opened.page.emulateMedia({ colorScheme: 'dark' });
      expect(await opened.page.evaluate('getComputedStyle(document.body).backgroundColor')).not.toBe(light);
      await opened.page.setViewportSize({ width: 360, height: 740 });
      for (const view of [...VIEWS.map((one) => `${HOME}${one}`), '#/']) {
        await visit(view);
        await shown(opened.page.locator('.view').first());
        await gone(opened.page.locator('.loading'));
        expect(await opened.page.evaluate('document.documentElement.scrollWidth'), view).toBeLessThanOrEqual(360);
        const wideLists = '[...document.querySelectorAll(".scroller")].filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length';
        expect(await opened.page.evaluate(wideLists), view).toBe(0);
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
          await shown(opened.page.locator('.view').first());
          await gone(opened.page.locator('.loading'));
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
  });

  describe('a long list', () => {
    shows('only the rows on the screen are drawn, and the keys move through it', async () => {
      await visit('#/webshop/injections');
      await see('covers 91 % of the prompt');
      for (let nth = 0; nth < 300; nth++)
        opened.cli.log.note({ at: '2026-03-11T10:00:00Z', session: SESSION, event: 'prompt', tokens: 10, items: [{ ...FILLER, title: `Filler ${nth}` }] });
      await see('Filler 299');
      expect(await opened.page.locator('.slot').count()).toBeLessThan(60);
      await press(...Array.from({ length: 80 }, () => 'j'));
      await see('Filler 220', '.injection.chosen');
      expect(await opened.page.locator('.slot').count()).toBeLessThan(60);
    });
  });

  describe('the page', () => {
    shows('meets no fault of the page in all this', async () => {
      expect(faults.filter((fault) => !/40[349]|422|Failed to load resource/.test(fault))).toEqual([]);
    });
  });
}
