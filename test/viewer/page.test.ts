import fs from 'node:fs';
import { describe, expect } from 'vitest';
import { checkForAnyone } from './anyone.ts';
import { PROMPT, SESSION } from './memory.ts';
import { checkLiveUpdates } from './live-updates.ts';
import { checkRecordActs } from './record-acts.ts';
import { HOME, openedPage, RUNBOOK } from './opened.ts';
import { gone, plant, shown, visit as go, waiting } from './page.ts';
import { checkSettings } from './settings.ts';
import { checkStrangers } from './strangers.ts';

const opened = await openedPage();
const { cli, shows, text, see, press, file } = opened;
const visit = (address: string): Promise<void> => go(opened.page, address);

describe('the link', () => {
  shows('opens the project’s home; the key leaves the address and is stored nowhere', async () => {
    await see('Make the import survive a full hour');
    expect(opened.page.url()).toBe(`${opened.server.origin}/${HOME}`);
    expect(await opened.page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]')).toEqual([0, 0, '']);
  });

  shows('a tab without the key shows nothing; one beside a tab that has it gets it from there', async () => {
    await opened.stranger(async (page) => {
      await page.goto(`${opened.server.origin}/${HOME}`);
      await shown(page.getByText('This tab has no key'));
    });
    const second = await opened.context.newPage();
    await second.goto(`${opened.server.origin}/#/webshop/record/${RUNBOOK}`);
    await shown(second.getByRole('heading', { name: 'Database is locked while the import runs' }));
    await second.close();
  });
});

describe('a project’s home', () => {
  shows('state, blockers, decisions, what was given last, and stale records with the code’s diff', async () => {
    await visit(HOME);
    await see('The harbour office does not answer');
    await see('Keep tide predictions in SQLite');
    await see('Last injections');
    await opened.page.locator('.stale').getByRole('button', { name: 'show the change' }).first().click();
    await shown(opened.page.locator('.diff .added').getByText('export const mode = "wal";'));
  });
});

describe('two versions of a record that could not be merged', () => {
  shows('both sides, keeps the one that is chosen, and undo brings the markers back', async () => {
    const place = plant(cli.records, { ...waiting('sides', 'Two sides', 'Left'), more: ['trust: confirmed'] });
    const marked = fs.readFileSync(place, 'utf8').replace('Left', '<<<<<<< HEAD\nLeft\n=======\nRight\n>>>>>>> other');
    fs.writeFileSync(place, marked);
    await visit(HOME);
    await see('could not be merged');
    await opened.page.getByRole('button', { name: 'Keep the version from elsewhere' }).click();
    await gone(opened.page.locator('main').getByText('could not be merged'));
    expect(file('preferences/sides.md')).toMatch(/## \w+\nRight\n/);
    expect(file('preferences/sides.md')).not.toContain('<<<<<<<');
    await press('u');
    await see('could not be merged');
    expect(file('preferences/sides.md')).toBe(marked);
    fs.rmSync(place);
  });
});

describe('search', () => {
  shows('as you type, with marked words, the parts of the score, messages, and what a link holds', async () => {
    await visit('#/webshop/search');
    await opened.page.getByLabel('Search', { exact: true }).fill('database locked');
    await shown(opened.page.locator('.row mark').first());
    expect(opened.page.url()).toContain('q=database+locked');
    await see('message', '.scroller');
    await opened.page.locator('.score summary').first().click();
    expect(await text('.score dl')).toMatch(/\+\d/);
    await opened.page.getByLabel('Kind').selectOption('record');
    await gone(opened.page.locator('.category.talk').first());
    await opened.page.getByLabel('Search', { exact: true }).press('Escape');
    await press('j', 'Enter');
    await shown(opened.page.getByRole('heading', { name: 'Database is locked while the import runs' }));
  });

  shows('records, documents, messages and commits, and filters them', async () => {
    await visit('#/webshop/search?q=lighthouse');
    await shown(opened.page.locator('.category.talk').getByText('commit'));
    await visit('#/webshop/search?q=harbour');
    await shown(opened.page.locator('.category.document').first());
    await visit('#/webshop/search?q=way');
    const row = (title: string) => opened.page.locator('.row').filter({ hasText: title });
    await shown(row('The new way'));
    await gone(row('The first way'));
    await opened.page.getByLabel('retired too').check();
    await shown(row('The first way'));
    await opened.page.getByLabel('Category').selectOption('decision');
    await gone(row('The new way'));
    await opened.page.getByLabel('Category').selectOption('');
    await shown(row('The new way'));
    await opened.page.getByLabel('Since').selectOption('7');
    await gone(row('The new way'));
    await opened.page.getByLabel('Since').selectOption('');
    await opened.page.getByLabel('all projects').check();
    await shown(opened.page.locator('.row .facts').getByText('webshop').first());
    expect(opened.page.url()).toContain('any=1&all=1');
  });

  shows('without a question everything by date; nothing found says what to do', async () => {
    await visit('#/webshop/search');
    await see('in all, newest first');
    await visit('#/webshop/search?q=zzzzunheard');
    await see('Try fewer words');
  });
});

describe('a record', () => {
  shows('its Markdown, files, where it was injected, and its history with diffs', async () => {
    await visit(`#/webshop/record/${RUNBOOK}`);
    await shown(opened.page.locator('.markdown h2').getByText('Root Cause'));
    await see('score 1.75');
    await opened.page.locator('.panel').filter({ hasText: 'Where it was injected' }).getByRole('link').first().click();
    await opened.page.waitForURL(`**/session/${SESSION}`);
    await visit(`#/webshop/record/${RUNBOOK}`);
    await opened.page.locator('.history').getByRole('button', { name: 'diff' }).first().click();
    await shown(opened.page.locator('.history .added').first());
    await visit('#/webshop/record/decision/keep-tide-predictions-in-sqlite');
    await see('changed since');
    await opened.page.locator('.files').getByRole('button', { name: 'show the change' }).click();
    await shown(opened.page.locator('.files .added').getByText('export const mode = "wal";'));
  });

  shows('where it came from, with the lines that were said', async () => {
    await visit('#/webshop/record/preference/tabs');
    await opened.page.locator('.source').getByText('CI is red since this morning').click();
    await shown(opened.page.locator('.message.chosen').getByText('CI is red since this morning'));
  });

  shows('what it replaced and what replaced it', async () => {
    await visit('#/webshop/record/preference/old-way');
    await see('The old way', '.chain .here');
    expect(await opened.page.locator('.chain li').allInnerTexts()).toEqual(
      ['The first way', 'The old way', 'The new way'].map((title) => expect.stringContaining(title)),
    );
    await opened.page.locator('.chain').getByRole('link', { name: 'The new way' }).click();
    await shown(opened.page.locator('.chain .here').getByText('The new way'));
  });
});

checkRecordActs(opened);

describe('the inbox', () => {
  const titles = (): Promise<string[]> => opened.page.locator('.list .row strong').allInnerTexts();
  const choose = async (title: string): Promise<void> => {
    await opened.page.locator('.list .row').filter({ hasText: title }).click();
    await shown(opened.page.locator('.detail h2').getByText(title).first());
  };

  shows('what waits, with the lines that it came from beside it', async () => {
    await visit('#/webshop/inbox');
    await choose('Tabs for indentation');
    await shown(opened.page.locator('.detail .source').getByText('CI is red since this morning'));
    expect(await titles()).toHaveLength(4);
    expect(await text('nav .count')).toBe('4');
  });

  shows('j and k move, a accepts and u takes it back', async () => {
    await choose('Tabs for indentation');
    await press('j', 'k');
    await shown(opened.page.locator('.detail h2').getByText('Tabs for indentation'));
    await press('a');
    await gone(opened.page.locator('.list .row').filter({ hasText: 'Tabs for indentation' }));
    expect(file('preferences/tabs.md')).toContain('trust: confirmed');
    await press('u');
    await shown(opened.page.locator('.list .row').filter({ hasText: 'Tabs for indentation' }));
    expect(file('preferences/tabs.md')).toContain('trust: observed');
    await shown(opened.page.locator('.toast').getByText('Undone: Accepted'));
    expect(await opened.page.locator('.toast button').count()).toBe(0);
  });

  shows('r rejects, m merges two, e edits and accepts; each is taken back', async () => {
    await choose('Short names');
    await press('r');
    await gone(opened.page.locator('.list .row').filter({ hasText: 'Short names' }));
    expect(file('preferences/short-names.md')).toContain('record_status: retired');
    await press('u');
    await shown(opened.page.locator('.list .row').filter({ hasText: 'Short names' }));

    await choose('Short names');
    await press('m');
    await choose('Brief names');
    await press('m');
    await gone(opened.page.locator('.list .row').filter({ hasText: 'Brief names' }));
    expect(file('preferences/short-names.md')).toContain('Names without prefixes');
    await press('u');
    await shown(opened.page.locator('.list .row').filter({ hasText: 'Brief names' }));
    expect(file('preferences/short-names.md')).not.toContain('Names without prefixes');

    await choose('Brief names');
    await press('e');
    const area = opened.page.getByLabel('Text of the record');
    await area.fill((await area.inputValue()).replace('Names without prefixes', 'Names without suffixes'));
    await press('Control+Enter');
    await gone(opened.page.locator('.list .row').filter({ hasText: 'Brief names' }));
    expect(file('preferences/brief-names.md')).toMatch(/trust: confirmed[^]*without suffixes/);
    await press('u');
    await shown(opened.page.locator('.list .row').filter({ hasText: 'Brief names' }));
  });
});

describe('injections', () => {
  shows('what a session was given, why, how many tokens; useful is said and taken back', async () => {
    await visit('#/webshop/injections');
    await see('covers 91 % of the prompt');
    await see('+1.56');
    await see('120 tokens');
    for (const verdict of ['useful', 'wrong', 'outdated'] as const) {
      await opened.page.getByRole('button', { name: `${verdict}: ${RUNBOOK}` }).click();
      await shown(opened.page.locator(`.verdict .${verdict} b`));
      expect(cli.log.verdicts([RUNBOOK]).get(RUNBOOK)).toMatchObject({ [verdict]: 1 });
      await press('u');
      await gone(opened.page.locator(`.verdict .${verdict} b`));
      expect(cli.log.verdicts([RUNBOOK]).get(RUNBOOK)).toBeUndefined();
    }
    await shown(opened.page.locator('.given code').getByText('import'));
    expect(await text('p.told')).toBe('The import holds the lock for a minute, says src/**/*.ts since 2026-03-09 13:05.\n1 · one row');
    await opened.page.locator('.given').getByRole('link', { name: 'CI is red since this morning' }).click();
    await shown(opened.page.locator('.message.chosen').getByText('CI is red since this morning'));
  });
});

describe('a session', () => {
  shows('the conversation with what memory gave and what was kept, in place', async () => {
    await visit('#/webshop/sessions');
    await shown(opened.page.locator('.row').filter({ hasText: 'prompts' }).first());
    await visit(`#/webshop/session/${SESSION}`);
    await see('CI is red since this morning');
    await see('covers 91 % of the prompt');
    await see('saved from here');
    const order = await opened.page.locator('.slot').evaluateAll((slots) => slots.map((slot) => slot.firstElementChild?.className ?? ''));
    expect(order.slice(0, 3)).toEqual([expect.stringContaining('message user'), 'capture', 'injection']);
  });

  shows('a tool’s answer with the call that it answers, opened where a link names it', async () => {
    await visit(`#/webshop/session/${SESSION}`);
    const call = opened.page.locator('.call').filter({ hasText: 'npm test 2>&1 | tail -20' });
    await call.locator('summary').click();
    await shown(call.locator('.came-back').getByText('serves tides while an import runs'));
    expect(await opened.page.locator('.message.tool').count()).toBe(0);
    await visit(`#/webshop/session/${SESSION}?at=601d548f-126e-5142-9d0f-824c5c87d2f5`);
    await shown(opened.page.locator('.message.chosen .call[open]').filter({ hasText: 'serves tides while an import runs' }));
  });

  shows('opens at the message that a link names', async () => {
    await visit(`#/webshop/session/${SESSION}?at=${PROMPT}`);
    await shown(opened.page.locator('.message.chosen').getByText('CI is red since this morning'));
  });
});

describe('projects and plots', () => {
  shows('all projects, with the one at hand marked', async () => {
    await visit('#/');
    await shown(opened.page.locator('.card.here').getByRole('heading', { name: 'webshop' }));
  });

  shows('records, injections, tokens against the budget, the share found useful, and the calendar', async () => {
    await visit('#/webshop/plots');
    await shown(opened.page.locator('.plot canvas').nth(2));
    await see('No verdicts yet');
    cli.log.say({ at: '2026-03-09T14:00:00Z', id: RUNBOOK, verdict: 'useful' });
    await shown(opened.page.getByRole('img', { name: 'Share of judged injections found useful: 1 of 1' }));
    for (const name of [/^Records over time, \d+ in all/, /^Injections a day/, /the budget is 12000$/, /^Activity by day/])
      await shown(opened.page.getByRole('img', { name }));
    await shown(opened.page.locator('.calendar .heat4').first());
    expect(await opened.page.locator('.plot canvas').evaluateAll((all) => all.map((one) => (one as unknown as { width: number }).width > 100))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    cli.log.unsay({ at: '2026-03-09T14:00:00Z', id: RUNBOOK, verdict: 'useful' });
  });
});

checkSettings(opened);
checkLiveUpdates(opened);
checkStrangers(opened);
checkForAnyone(opened);
