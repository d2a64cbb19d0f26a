import { type Context, Hono } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { html } from 'hono/html';
import { issueToken, roleAllows, type TeamMeans } from '../../app/team/access.ts';
import type { SignIn } from '../../core/ports/team/api.ts';
import { SCOPES_OF_TOKENS, type TeamStore } from '../../core/ports/team/store.ts';
import { ok, refuse, type Refusal, type Result } from '../../core/result.ts';
import type { RateLimit } from './limits.ts';
import { peerAddress } from './request.ts';

export interface SignInHost {
  readonly signIn: SignIn;
  readonly store: TeamStore;
  readonly means: TeamMeans;
  readonly limit: RateLimit;
  /** Whether browsers reach the server by https. */
  readonly isSecure: boolean;
}

/** Ties the issuer's answer to the browser that began. Over https the prefix `__Host-` keeps other hosts of the domain from setting it. */
const COOKIE = 'holdfast-sign-in';
const cookieOf = (isSecure: boolean) => ({ name: isSecure ? `__Host-${COOKIE}` : COOKIE, path: isSecure ? '/' : '/sign-in' });
const TOKEN_DAYS = 30;
/** `?to=page` ends on the team's page, which keeps its token in memory. */
const TO_PAGE = 'page';
const PAGE_DAYS = 1;
const ORGANISATION = /^[a-z0-9][a-z0-9-]{0,62}$/;

const page = (c: Context, status: 200 | 400 | 403 | 429, title: string, lines: readonly string[]) =>
  c.html(
    html`<!doctype html>
      <html lang="en">
        <meta charset="utf-8" />
        <title>Holdfast</title>
        <body>
          <h1>${title}</h1>
          ${lines.map((line) => html`<pre>${line}</pre>`)}
        </body>
      </html>`,
    status,
    { 'cache-control': 'no-store' },
  );

const refusedPage = (c: Context, { message, hint }: Refusal) => page(c, 403, 'Not signed in', [message, ...(hint === undefined ? [] : [hint])]);

/** A token for the member with this subject at the issuer. Signing in adds no members. */
async function tokenFor({ store, means }: SignInHost, organisation: string, subject: string, days: number): Promise<Result<string>> {
  const unknown = refuse('SECURITY_ERROR', `You are not a member here. Your subject is ${subject}`, {
    hint: 'ask an admin to run: holdfast team member NAME --subject SUBJECT',
  });
  const org = await store.organisationNamed(organisation);
  if (org === undefined) return unknown;
  return store.inOrganisation(org, async (transaction) => {
    const member = await transaction.memberOfSubject(subject);
    if (!member) return unknown;
    const scopes = SCOPES_OF_TOKENS.filter((scope) => roleAllows(member.role, scope));
    const issued = await issueToken(transaction, org, means, { member: member.member, scopes, label: 'signed in', days });
    if (issued.ok) await transaction.audit(member.member, 'sign-in', issued.value.id);
    return issued.ok ? ok(issued.value.text) : issued;
  });
}

/** `/sign-in/ORGANISATION` sends the browser to the issuer; `/sign-in/callback` turns the issuer's answer into a token, shown once. */
export function signInRoutes(host: SignInHost): Hono {
  const app = new Hono();
  const { isSecure } = host;
  const { name, path } = cookieOf(isSecure);
  app.get('/callback', async (c) => {
    const [state = '', organisation = '', to = ''] = (getCookie(c, name) ?? '').split(':');
    deleteCookie(c, name, { path, secure: isSecure });
    const { state: returned = '', code = '' } = c.req.query();
    // Only the browser that began can finish.
    if (state === '' || state !== returned || code === '')
      return page(c, 400, 'Not signed in', ['The sign-in did not start in this browser, or took too long. Start again.']);
    const finished = await host.signIn.finish(returned, code);
    if (!finished.ok) return refusedPage(c, finished.error);
    const isPage = to === TO_PAGE;
    const token = await tokenFor(host, organisation, finished.value.subject, isPage ? PAGE_DAYS : TOKEN_DAYS);
    if (!token.ok) return refusedPage(c, token.error);
    // Browsers do not send the fragment to servers, and the page removes it from the address at once.
    if (isPage) return c.redirect(`/#key=${token.value}`);
    return page(c, 200, 'Your token', [
      token.value,
      `It is valid for ${TOKEN_DAYS} days and is shown only now. Put it into a file: holdfast sync --to ${new URL(c.req.url).origin} --token FILE`,
    ]);
  });
  app.get('/:organisation', async (c) => {
    const organisation = c.req.param('organisation');
    if (!ORGANISATION.test(organisation)) return page(c, 400, 'Not signed in', ['There is no such organisation.']);
    // By address, so that one visitor cannot keep the others out.
    if (host.limit.take(`sign-in ${peerAddress(c)}`) !== undefined)
      return page(c, 429, 'Not signed in', ['Too many sign-ins from this address. Try again in a minute.']);
    const started = await host.signIn.begin();
    if (!started.ok) return refusedPage(c, started.error);
    setCookie(c, name, `${started.value.state}:${organisation}:${c.req.query('to') === TO_PAGE ? TO_PAGE : ''}`, {
      httpOnly: true,
      sameSite: 'Lax',
      secure: isSecure,
      path,
      maxAge: 600,
    });
    return c.redirect(started.value.url);
  });
  return app;
}
