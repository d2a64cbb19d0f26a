import type { Context, Hono } from 'hono';
import { ICON, policyWith, SAFE_HEADERS, shellWith } from '../../app/page/shell.ts';

/** The page's own files, built into the package. */
export interface TeamPageFiles {
  readonly script: string;
  readonly style: string;
}

export interface TeamPageHost {
  readonly files: TeamPageFiles;
  /** A new nonce for each answer. */
  readonly nonce: () => string;
  /** Whether members can sign in with an OpenID Connect issuer. */
  readonly hasSignIn: boolean;
  /** Whether a request uses another host name, or comes from another site's page. */
  readonly isFromElsewhere: (c: Context) => boolean;
}

const NO_SCRIPT =
  'This page shows your team’s memory with its own script. Switch scripts on, or use <code>holdfast search</code> and <code>holdfast review</code> in a terminal.';

/** The team's page: one document, its script and style. It gets its data from the API, with the member's token. */
export function addTeamPage(app: Hono, { files, nonce, hasSignIn, isFromElsewhere }: TeamPageHost): void {
  const guarded = (answer: (c: Context) => Response | Promise<Response>) => (c: Context) =>
    isFromElsewhere(c) ? c.json({ error: 'FORBIDDEN', message: 'This is not the address of the server.' }, 403, SAFE_HEADERS) : answer(c);
  const file = (text: string, type: string) => guarded((c) => c.body(text, 200, { ...SAFE_HEADERS, 'content-type': type }));
  app.get(
    '/',
    guarded((c) => {
      const pageNonce = nonce();
      const shell = { script: '/team.js', about: hasSignIn ? ' data-sign-in' : '', noScript: NO_SCRIPT };
      return c.html(shellWith(pageNonce, shell), 200, { ...SAFE_HEADERS, 'content-security-policy': policyWith(pageNonce) });
    }),
  );
  app.get('/team.js', file(files.script, 'text/javascript; charset=utf-8'));
  app.get('/view.css', file(files.style, 'text/css; charset=utf-8'));
  app.get('/icon.svg', file(ICON, 'image/svg+xml'));
}
