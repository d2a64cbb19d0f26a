import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { PATIENCE } from '../patience.ts';
import { startBrowser } from '../viewer/browser.ts';
import { shown } from '../viewer/page.ts';
import type { ServedTeam } from './served.ts';

const { browser, why } = await startBrowser();
export { browser };

interface Opened {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly faults: readonly string[];
}

/** The page in a browser of its own, before anyone has signed in. */
export async function open(team: ServedTeam, work: (opened: Opened) => Promise<void>): Promise<void> {
  const context = await browser?.newContext({ locale: 'en-US', viewport: { width: 1280, height: 800 } });
  if (!context) throw new Error(why);
  context.setDefaultTimeout(PATIENCE.timeout);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  try {
    await page.goto(team.url);
    await work({ page, context, faults });
    expect(faults).toEqual([]);
  } finally {
    await context.close();
  }
}

export async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await shown(page.locator('.frame'));
}
