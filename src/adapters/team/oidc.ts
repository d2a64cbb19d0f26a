import { createHash, randomBytes } from 'node:crypto';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import type { SignIn } from '../../core/ports/team/api.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { isObject } from '../../core/value.ts';

export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Absent for a public client, which PKCE alone protects. */
  readonly clientSecret?: string | undefined;
  /** Where the issuer sends the browser back to. */
  readonly redirectUri: string;
}

interface Discovered {
  readonly authorize: string;
  readonly token: string;
  readonly keys: ReturnType<typeof createRemoteJWKSet>;
}

const ASK_MS = 10_000;
const STATE_MS = 10 * 60_000;
/** Sign-ins that were begun and not finished; beyond these the oldest are dropped. */
const PENDING = 1_000;

const random = (): string => randomBytes(32).toString('base64url');

async function askJson(url: string, init: RequestInit = {}): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(ASK_MS) });
  const value: unknown = await response.json();
  if (!response.ok || !isObject(value)) throw new Error(`status ${response.status}`);
  return value;
}

/** The authorization code flow with PKCE, state and nonce; the id token's signature, issuer, audience and times are checked with the issuer's keys. */
export function oidcSignIn({ issuer, clientId, clientSecret, redirectUri }: OidcSettings, now: () => number): SignIn {
  const pending = new Map<string, { readonly verifier: string; readonly nonce: string; readonly until: number }>();
  let known: Promise<Discovered> | undefined;
  const discover = async (): Promise<Discovered> => {
    const found = await askJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
    const { issuer: named, authorization_endpoint: authorize, token_endpoint: token, jwks_uri: keys } = found;
    if (named !== issuer || typeof authorize !== 'string' || typeof token !== 'string' || typeof keys !== 'string')
      throw new Error('its configuration is not complete');
    return { authorize, token, keys: createRemoteJWKSet(new URL(keys), { timeoutDuration: ASK_MS }) };
  };
  const discovered = (): Promise<Discovered> =>
    (known ??= discover().catch((cause: unknown) => {
      known = undefined;
      throw cause;
    }));
  const failed = (cause: unknown): Result<never> =>
    refuse('SECURITY_ERROR', `Signing in at ${new URL(issuer).host} failed: ${(cause as Error).message.slice(0, 200)}`, { hint: 'begin again' });
  return {
    begin: async () => {
      try {
        const { authorize } = await discovered();
        const [state, nonce, verifier] = [random(), random(), random()];
        const oldest = pending.size >= PENDING ? pending.keys().next().value : undefined;
        if (oldest !== undefined) pending.delete(oldest);
        pending.set(state, { verifier, nonce, until: now() + STATE_MS });
        const url = new URL(authorize);
        const challenge = createHash('sha256').update(verifier).digest('base64url');
        const query = {
          response_type: 'code',
          client_id: clientId,
          redirect_uri: redirectUri,
          scope: 'openid',
          state,
          nonce,
          code_challenge: challenge,
          code_challenge_method: 'S256',
        };
        for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
        return ok({ url: url.href, state });
      } catch (cause) {
        return failed(cause);
      }
    },
    finish: async (state, code) => {
      const begun = pending.get(state);
      pending.delete(state);
      if (!begun || now() > begun.until) return refuse('SECURITY_ERROR', 'This sign-in was not begun here, or too long ago.', { hint: 'begin again' });
      try {
        const { token, keys } = await discovered();
        const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, client_id: clientId, code_verifier: begun.verifier };
        const body = new URLSearchParams({ ...form, ...(clientSecret !== undefined && { client_secret: clientSecret }) });
        const { id_token: idToken } = await askJson(token, { method: 'POST', body });
        const options = { issuer, audience: clientId, currentDate: new Date(now()), requiredClaims: ['sub', 'exp', 'nonce'] };
        const { payload } = await jwtVerify(String(idToken), keys, options);
        if (payload['nonce'] !== begun.nonce || payload.sub === undefined) throw new Error('the answer belongs to another sign-in');
        return ok({ subject: payload.sub });
      } catch (cause) {
        return failed(cause);
      }
    },
  };
}
