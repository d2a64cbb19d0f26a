import fs from 'node:fs';
import path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';
import { PATIENCE } from '../patience.ts';
import { startBrowser } from './browser.ts';
import { exampleMemory } from './memory.ts';
import { shown, type StartedPage, startPage } from './page.ts';

export const HOME = '#/webshop';
export const RUNBOOK = 'runbook/database-is-locked-while-the-import-runs';

/** One browser, one server and one memory for all checks of a file. */
export async function openedPage() {
  const { browser, why } = await startBrowser();
  const cli = exampleMemory();
  const faults: string[] = [];
  let opened: { readonly server: StartedPage; readonly context: BrowserContext; readonly page: Page } | undefined;

  beforeAll(async () => {
    if (!browser) return;
    const server = await startPage(cli.home, cli.project);
    const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1280, height: 800 } });
    context.setDefaultTimeout(PATIENCE.timeout);
    const page = await context.newPage();
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    await page.goto(server.url);
    await shown(page.locator('.frame'));
    opened = { server, context, page };
  });
  afterAll(async () => {
    await browser?.close();
    await opened?.server.end();
  });

  const now = (): NonNullable<typeof opened> => {
    if (!opened) throw new Error('the page is not open');
    return opened;
  };
  return {
    cli,
    faults,
    browser,
    get page() {
      return now().page;
    },
    get server() {
      return now().server;
    },
    get context() {
      return now().context;
    },
    /** A test in the browser; skipped with the reason where there is none. */
    shows: (title: string, expectShown: () => Promise<void>): void =>
      test(`shows ${title}`, async (one) => {
        one.skip(!browser, why);
        await expectShown();
      }),
    /** A tab of its own, without the key. */
    stranger: async (work: (page: Page) => Promise<void>): Promise<void> => {
      const context = await now().context.browser()?.newContext();
      if (!context) throw new Error(why);
      context.setDefaultTimeout(PATIENCE.timeout);
      await work(await context.newPage());
      await context.close();
    },
    text: (selector: string): Promise<string> => now().page.locator(selector).first().innerText(),
    see: (words: string, within = 'main'): Promise<void> => shown(now().page.locator(within).getByText(words).first()),
    press: async (...keys: string[]): Promise<void> => {
      for (const key of keys) await now().page.keyboard.press(key);
    },
    file: (name: string): string => fs.readFileSync(path.join(cli.records, name), 'utf8'),
  };
}

export type OpenedPage = Awaited<ReturnType<typeof openedPage>>;
