import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { PATIENCE } from '../patience.ts';
import type { OpenedPage } from './opened.ts';
import { shown, startPage } from './page.ts';

/** Checks, in a real browser, the access of other sites to the page, and of a tab that was open before the server restarted. */
export function checkStrangers(opened: OpenedPage): void {
  const { cli, shows, file, stranger } = opened;
  const retire = JSON.stringify({ project: 'webshop', id: 'preference/new-way', to: 'retire' });

  describe('another site', () => {
    shows('gets nothing by a name of its own that leads to loopback (DNS rebinding), even with the key', () =>
      stranger(async (page) => {
        const { port, token } = opened.server;
        const answer = await page.goto(`http://rebound.example:${port}/`);
        expect([answer?.status(), await answer?.text()]).toEqual([403, expect.not.stringContaining('<html')]);
        // The site's own page, loaded before its name led here.
        await page.route(`http://rebound.example:${port}/attack`, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
        await page.goto(`http://rebound.example:${port}/attack`);
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-holdfast-write': '1' };
        const statusOf = (at: string, init: object) => page.evaluate(`fetch(${JSON.stringify(at)}, ${JSON.stringify(init)}).then(({ status }) => status)`);
        expect(await statusOf('/api/overview', { headers })).toBe(403);
        expect(await statusOf('/view.js', {})).toBe(403);
        expect(await statusOf('/api/move', { method: 'POST', headers, body: retire })).toBe(403);
        expect(file('preferences/new-way.md')).toContain('record_status: active');
      }),
    );

    shows('can neither read, write, post a form to nor frame the page', async () => {
      const { origin, token, url } = opened.server;
      const site = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<!doctype html><body>')).listen(0, '127.0.0.1');
      try {
        await stranger(async (page) => {
          await page.goto(`http://elsewhere.example:${(site.address() as AddressInfo).port}/`);
          const fetched = (at: string, init: object) =>
            page.evaluate(`fetch(${JSON.stringify(origin + at)}, ${JSON.stringify(init)}).then(({ type, status }) => type + status, () => 'blocked')`);
          const headers = { authorization: `Bearer ${token}` };
          expect(await fetched('/api/overview', { headers })).toBe('blocked');
          expect(await fetched('/api/overview', {})).toBe('blocked');
          expect(await fetched('/api/move', { method: 'POST', headers: { ...headers, 'x-holdfast-write': '1' }, body: retire })).toBe('blocked');
          expect(await fetched('/api/move', { method: 'POST', mode: 'no-cors', body: retire })).toBe('blocked');
          await page.evaluate(`document.body.append(Object.assign(document.createElement('iframe'), { src: ${JSON.stringify(url)} }))`);
          await expect.poll(() => page.frames()[1]?.url(), PATIENCE).toMatch(/^chrome-error:/);
          const posted = page.waitForResponse((response) => response.url().endsWith('/api/move') && response.request().isNavigationRequest());
          await page.evaluate(`{
            const form = Object.assign(document.createElement('form'), { method: 'post', enctype: 'text/plain', action: ${JSON.stringify(`${origin}/api/move`)} });
            form.append(Object.assign(document.createElement('input'), { name: ${JSON.stringify(retire)} }));
            document.body.append(form);
            form.submit();
          }`);
          expect((await posted).status()).toBe(403);
        });
        expect(file('preferences/new-way.md')).toContain('record_status: active');
      } finally {
        site.close();
      }
    });
  });

  describe('an empty home', () => {
    shows('what to do first; when the server ends the tab says so, and after a new start its old key is worth nothing', async () => {
      const home = path.join(cli.folder, 'empty-home');
      const first = await startPage(home, cli.folder);
      await stranger(async (page) => {
        await page.goto(first.url);
        await shown(page.getByText('No project has a memory yet'));
        await shown(page.getByText('holdfast start').first());
        await first.end();
        await shown(page.getByRole('alert').getByText('The server has ended'));
        const second = await startPage(home, cli.folder, { words: ['--port', String(first.port)] });
        try {
          expect([second.port, second.token === first.token]).toEqual([first.port, false]);
          await shown(page.getByText('This tab has no key'));
          await page.goto('about:blank');
          await page.goto(first.url);
          await shown(page.getByText('This tab has no key'));
          await page.goto('about:blank');
          await page.goto(second.url);
          await shown(page.getByText('No project has a memory yet'));
        } finally {
          await second.end();
        }
      });
      fs.rmSync(home, { recursive: true, force: true });
    });
  });
}
