import fs from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { oidcSignIn } from '../../src/adapters/team/oidc.ts';
import type { SignIn } from '../../src/core/ports/team/api.ts';
import type { OfferedVersion } from '../../src/core/ports/team/sync.ts';
import { PATIENCE } from '../patience.ts';
import { hasPostgres } from '../postgres/cluster.ts';
import { gone, shown, visit } from '../viewer/page.ts';
import { startIssuer } from './issuer.ts';
import { browser, open, signIn } from './opened-page.ts';
import { offeredRecord } from './records.ts';
import { serveForTest, type ServedTeam, teamForFile } from './served.ts';

const needs = { isThere: browser !== undefined && hasPostgres };
const sharedTeam = teamForFile(needs.isThere);
afterAll(() => browser?.close());
/** Each test has an organisation of its own. */
let organisations = 0;

const HOSTILE = '# Hostile <img src=x onerror="window.hit = 1">\n\n<script>window.hit = 2</script> [a](javascript:window.hit=3) <svg onload="window.hit = 4">';
const SHOTS = process.env['HOLDFAST_SHOTS'];

const offer = (team: ServedTeam, token: string, versions: readonly OfferedVersion[], propose = false) =>
  team.ask(token, 'POST', 'v1/projects/web/shared/versions', { versions, propose });

/** An organisation with records, versions and a proposal of each kind. */
async function exampleTeam() {
  const team = sharedTeam();
  const name = `acme-${(organisations += 1)}`;
  const acme = await team.organisation(name);
  const [ada, rev, adm] = [await team.member(acme, 'ada', 'writer'), await team.member(acme, 'rev', 'reviewer'), await team.member(acme, 'adm', 'admin')];
  const first = offeredRecord('Use SQLite for the heron cache', 'decisions/heron.md');
  await offer(team, ada, [first, offeredRecord('Deploy on Fridays only')]);
  await offer(team, ada, [offeredRecord('Use PostgreSQL for the heron cache', 'decisions/heron.md', first.hash)]);
  await offer(team, ada, [offeredRecord('Retry the flamingo queue'), offeredRecord('Name the walrus twice')], true);
  const facts = { sessionId: 's1', client: 'claude-code', startedAt: '2026-05-01T10:00:00Z', endedAt: '2026-05-01T10:05:00Z' };
  const said = ['The pelican cache times out', 'Because of Mondays'].map((words, at) => ({
    ...{ id: `m${at}`, sessionId: 's1', role: at === 0 ? 'user' : 'assistant', at: `2026-05-01T10:0${at}:00Z`, text: words },
  }));
  const text = [{ session: facts }, ...said].map((line) => JSON.stringify(line)).join('\n');
  expect((await team.ask(ada, 'POST', 'v1/projects/web/conversations', { conversations: [{ text }] })).status).toBe(200);
  return { team, name, acme, ada, rev, adm };
}

describe.skipIf(!needs.isThere)('the team’s page', () => {
  test('asks for a token, keeps it in memory only, and signs out', async () => {
    const { team, name, rev } = await exampleTeam();
    await open(team, async ({ page, context }) => {
      await page.getByLabel('Token').fill('nonsense');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await shown(page.getByText('This is not a token'));
      await page.getByLabel('Token').fill(`${rev.slice(0, -4)}0000`);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await shown(page.getByText('The token is missing or not valid'));
      await signIn(page, rev);
      await shown(page.getByRole('heading', { name }));
      expect(await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie, location.href.includes("hf_")]')).toEqual([0, 0, '', false]);
      const second = await context.newPage();
      await second.goto(`${team.url}#/web`);
      await shown(second.getByText('Deploy on Fridays only'));
      await second.close();
      await page.reload();
      await shown(page.getByLabel('Token'));
      await signIn(page, rev);
      const tokens = async (): Promise<readonly Record<string, unknown>[]> => (await team.ask(rev, 'GET', 'v1/tokens')).json['tokens'] as never;
      const isLive = ({ revoked_at: revoked }: Record<string, unknown>): boolean => revoked === undefined;
      const sessions = (await tokens()).filter((token) => token['made_from'] === rev.split('_')[2]);
      expect(sessions.map((token) => [token['label'], isLive(token)])).toEqual([
        ['page', true],
        ['page', true],
      ]);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await shown(page.getByLabel('Token'));
      // The session that was signed out is revoked; the one that was lost with its tab ends by itself, and the member's token goes on.
      await vi.waitUntil(async () => (await tokens()).filter((token) => !isLive(token)).length === 1, PATIENCE);
      expect((await tokens()).filter((token) => token['made_from'] === undefined).map(isLive)).toEqual([true]);
    });
  });

  test('shows projects, records, search, and a record with its versions and their diffs', async () => {
    const { team, ada } = await exampleTeam();
    await open(team, async ({ page }) => {
      await signIn(page, ada);
      await page.locator('.card').getByText('web').click();
      await shown(page.locator('.row').getByText('Use PostgreSQL for the heron cache'));
      await page.keyboard.press('/');
      await page.getByLabel('Search').fill('heron');
      await shown(page.locator('.row mark').getByText('heron').first());
      await page.locator('.row').getByRole('link', { name: 'Use PostgreSQL for the heron cache' }).click();
      await shown(page.getByRole('heading', { name: 'Use PostgreSQL for the heron cache' }));
      await page.locator('.history').getByRole('button', { name: 'diff' }).first().click();
      await shown(page.locator('.diff .removed').getByText('# Use SQLite for the heron cache'));
      await shown(page.locator('.diff .added').getByText('# Use PostgreSQL for the heron cache'));
      expect(await page.locator('.history > li').allInnerTexts()).toEqual([expect.stringContaining('by ada'), expect.stringContaining('new')]);
      expect(await page.getByText('Audit log').count()).toBe(0);
      await visit(page, '#/~all/search?q=pelican&kind=message');
      await page.locator('.row a').first().click();
      await shown(page.locator('.message.chosen').getByText('The pelican cache times out'));
      await shown(page.locator('.message').getByText('Because of Mondays'));
    });
  });

  test('a change is proposed on the page, and an earlier version is brought back', async () => {
    const { team, acme, ada, rev } = await exampleTeam();
    await team.store.inOrganisation(acme, async (transaction) => transaction.setReview((await transaction.project('web'))?.project ?? 0, true));
    await open(team, async ({ page }) => {
      await signIn(page, ada);
      await visit(page, '#/web/record/decision/heron');
      await shown(page.getByRole('heading', { name: 'Use PostgreSQL' }));
      await page.keyboard.press('e');
      const area = page.getByLabel('Text of the record');
      await area.fill((await area.inputValue()).replace('# Use PostgreSQL', '# Use DuckDB'));
      expect(await page.getByRole('button', { name: 'Save at once' }).count()).toBe(0);
      await page.keyboard.press('Control+Enter');
      await shown(page.getByText('Proposed as 3'));
      const { text } = (await team.ask(ada, 'GET', 'v1/projects/web/record?id=decision/heron')).json as { text: string };
      expect(text).toContain('# Use PostgreSQL');
    });
    await open(team, async ({ page }) => {
      await signIn(page, rev);
      await visit(page, '#/web/record/decision/heron');
      await page.locator('.history').getByRole('button', { name: 'bring back' }).click();
      await page.getByRole('button', { name: 'Save at once' }).click();
      await shown(page.getByRole('heading', { name: 'Use SQLite for the heron cache' }));
    });
    expect((await team.ask(ada, 'GET', 'v1/projects/web/record?id=decision/heron')).json).toMatchObject({ title: 'Use SQLite for the heron cache' });
  });

  test('a reviewer accepts and rejects by key, with reasons; no one accepts their own', async () => {
    const { team, ada, rev, adm } = await exampleTeam();
    await offer(team, rev, [offeredRecord('My own proposal')], true);
    await open(team, async ({ page }) => {
      await signIn(page, rev);
      await visit(page, '#/web/proposals');
      const row = (title: string) => page.locator('.list .row').filter({ hasText: title });
      await row('Retry the flamingo queue').click();
      await shown(page.locator('.detail .markdown h2').getByText('Rationale'));
      await page.getByText('the whole file').click();
      await shown(page.locator('.diff .added').getByText('# Retry the flamingo queue'));
      await page.keyboard.press('a');
      await page.getByLabel('Reason').fill('right');
      await page.keyboard.press('Control+Enter');
      await gone(row('Retry the flamingo queue'));
      await row('Name the walrus twice').click();
      await page.keyboard.press('r');
      expect(await page.locator('dialog').getByRole('button', { name: 'Reject' }).isDisabled()).toBe(true);
      await page.getByLabel('Reason').fill('once is enough');
      await page.locator('dialog').getByRole('button', { name: 'Reject' }).click();
      await gone(row('Name the walrus twice'));
      await shown(page.getByText('Another member has to accept what you proposed').first());
      expect(await page.locator('.detail').getByRole('button', { name: 'Accept' }).count()).toBe(0);
      await page.getByLabel('State').selectOption('rejected');
      await shown(page.locator('blockquote').getByText('once is enough'));
    });
    const states = ((await team.ask(ada, 'GET', 'v1/projects/web/proposals')).json['proposals'] as { state: string; reason?: string }[]).map(
      ({ state, reason }) => `${state} ${reason ?? ''}`,
    );
    expect(states.toSorted()).toEqual(['accepted right', 'open ', 'rejected once is enough']);
    await open(team, async ({ page }) => {
      await signIn(page, ada);
      await visit(page, '#/web/proposals');
      await shown(page.locator('.list .row').filter({ hasText: 'My own proposal' }));
      expect(
        await page
          .locator('.detail')
          .getByRole('button', { name: /Accept|Reject/ })
          .count(),
      ).toBe(0);
    });
    await open(team, async ({ page }) => {
      await signIn(page, adm);
      await shown(page.getByText('adm, admin'));
      await page.keyboard.press('9');
      await shown(page.getByText('proposal.accepted'));
      await shown(page.getByText('proposal.rejected'));
    });
  });

  test('what a member sends runs nowhere', async () => {
    const { team, ada, rev } = await exampleTeam();
    const hostile = offeredRecord('Hostile', 'decisions/hostile.md');
    await offer(team, ada, [hostile]);
    const { text, hash } = (await team.ask(ada, 'GET', 'v1/projects/web/record?id=decision/hostile')).json as { text: string; hash: string };
    const edit = { id: 'decision/hostile', text: text.replace('# Hostile', HOSTILE), hash };
    expect((await team.ask(ada, 'POST', 'v1/projects/web/record', edit)).json).toEqual({ state: 'accepted' });
    await open(team, async ({ page }) => {
      await signIn(page, rev);
      for (const address of ['#/web', '#/web/record/decision/hostile', '#/~all/search?q=hostile']) {
        await visit(page, address);
        await shown(page.locator('main').getByText('<img src=x').first());
      }
      await visit(page, '#/web/record/decision/hostile');
      await shown(page.locator('.markdown').getByText('window.hit = 2'));
      expect(await page.evaluate('window.hit')).toBeUndefined();
      expect(await page.locator('.markdown').locator('script, img, svg, [onload], a[href^=javascript]').count()).toBe(0);
    });
  });

  test('its policy, its name and its origin: other sites get nothing and frame nothing', async () => {
    const team = sharedTeam();
    const token = await team.member(await team.organisation('policy'), 'ada', 'admin');
    const [one, two] = [await fetch(team.url), await fetch(team.url)];
    const policy = one.headers.get('content-security-policy') ?? '';
    for (const part of ["default-src 'none'", "script-src-attr 'none'", "frame-ancestors 'none'", "form-action 'none'"]) expect(policy).toContain(part);
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    const nonce = /script-src 'nonce-([0-9a-f]{32})'/.exec(policy)?.[1] ?? 'none';
    expect(await one.text()).toContain(`nonce="${nonce}"`);
    expect(await two.text()).not.toContain(nonce);
    const asked = (headers: Record<string, string>) => fetch(new URL('v1/me', team.url), { headers: { authorization: `Bearer ${token}`, ...headers } });
    expect((await asked({})).status).toBe(200);
    expect((await asked({ origin: 'https://elsewhere.example' })).status).toBe(403);
    expect((await asked({ origin: 'null' })).status).toBe(403);
  });

  test('each view reads in the dark, at 360 pixels and aloud: axe finds nothing serious', async () => {
    const { team, adm } = await exampleTeam();
    const axe = fs.readFileSync(path.resolve(import.meta.dirname, '../../node_modules/axe-core/axe.min.js'), 'utf8');
    await open(team, async ({ page }) => {
      await page.evaluate(axe);
      const check = async (name: string): Promise<void> => {
        if (SHOTS !== undefined) await page.screenshot({ path: path.join(SHOTS, `team-${name}.png`) });
        const found = (await page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations
          .filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => id + ': ' + nodes[0].html.slice(0, 200)))`)) as string[];
        expect(found, name).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), name).toBe(true);
      };
      await check('sign-in');
      await signIn(page, adm);
      for (const [width, colorScheme] of [
        [1280, 'light'],
        [360, 'dark'],
      ] as const) {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme });
        for (const [name, address, selector] of [
          ['projects', '#/', '.card'],
          ['records', '#/web', '.row'],
          ['search', '#/~all/search?q=heron', '.row mark'],
          ['record', '#/web/record/decision/heron', '.history li'],
          ['proposals', '#/web/proposals', '.detail .markdown h2'],
          ['empty', '#/web/proposals?state=accepted', '.empty'],
          ['audit', '#/~all/audit', '.row'],
          ['nowhere', '#/web/nowhere', '.empty'],
        ] as const) {
          await visit(page, address);
          await shown(page.locator(selector).first());
          await check(`${name}-${width}-${colorScheme}`);
        }
      }
    });
  });

  test('with an OpenID Connect issuer a member signs in and lands on the page with a token of a day', async () => {
    const issuer = await startIssuer();
    // The server's address is known once it listens.
    const held: { at?: SignIn } = {};
    const at = (): SignIn =>
      (held.at ??= oidcSignIn({ issuer: issuer.url, clientId: 'holdfast', redirectUri: new URL('sign-in/callback', team.url).href }, Date.now));
    const team = await serveForTest({ signIn: { begin: () => at().begin(), finish: (state, code) => at().finish(state, code) } });
    const acme = await team.organisation('acme');
    await team.store.inOrganisation(acme, (transaction) => transaction.putMember({ member: 'ada', name: 'Ada', role: 'reviewer', subject: 'subject-1' }));
    await open(team, async ({ page }) => {
      await page.getByLabel('Organisation').fill('acme');
      await page.getByRole('button', { name: 'Sign in with your organisation' }).click();
      await shown(page.getByText('Ada, reviewer'));
      expect(page.url()).not.toContain('hf_');
    });
    const other = await team.member(acme, 'eve', 'writer');
    await open(team, async ({ page }) => {
      await page.goto('about:blank');
      await page.goto(`${team.url}#key=${other}`);
      await page.getByLabel('Token').waitFor();
      expect(page.url()).not.toContain('hf_');
    });
    const tokens = await team.store.inOrganisation(acme, (transaction) => transaction.tokens());
    expect(tokens.map(({ expiresAt }) => Math.round((expiresAt - team.clock.ms) / 86_400_000))).toEqual([1, 30]);
  });
});
