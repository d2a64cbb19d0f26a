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
  /** The address to which the issuer returns the browser. */
  readonly redirectUri: string;
}

interface IssuerConfiguration {
  readonly authorize: string;
  readonly token: string;
  readonly keys: ReturnType<typeof createRemoteJWKSet>;
}

const REQUEST_MS = 10_000;
const STATE_MS = 10 * 60_000;
/** Unfinished sign-ins; the oldest are dropped beyond this number. */
const MOST_PENDING = 1_000;

const random = (): string => randomBytes(32).toString('base64url');

async function askJson(url: string, init: RequestInit = {}): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(REQUEST_MS) });
  const value: unknown = await response.json();
  if (!response.ok || !isObject(value)) throw new Error(`status ${response.status}`);
  return value;
}

/** The authorization code flow with PKCE, state and nonce; the id token's signature, issuer, audience and times are checked with the issuer's keys. */
export function oidcSignIn({ issuer, clientId, clientSecret, redirectUri }: OidcSettings, now: () => number): SignIn {
  const pending = new Map<string, { readonly verifier: string; readonly nonce: string; readonly until: number }>();
  let configuration: Promise<IssuerConfiguration> | undefined;
  const discover = async (): Promise<IssuerConfiguration> => {
    const answer = await askJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
    const { issuer: ownIssuer, authorization_endpoint: authorize, token_endpoint: token, jwks_uri: keys } = answer;
    if (ownIssuer !== issuer || typeof authorize !== 'string' || typeof token !== 'string' || typeof keys !== 'string')
      throw new Error('its configuration is not complete');
    return { authorize, token, keys: createRemoteJWKSet(new URL(keys), { timeoutDuration: REQUEST_MS }) };
  };
  const issuerConfiguration = (): Promise<IssuerConfiguration> =>
    (configuration ??= discover().catch((cause: unknown) => {
      configuration = undefined;
      throw cause;
    }));
  const failed = (cause: unknown): Result<never> =>
    refuse('SECURITY_ERROR', `Signing in at ${new URL(issuer).host} failed: ${(cause as Error).message.slice(0, 200)}`, { hint: 'sign in again' });
  return {
    begin: async () => {
      try {
        const { authorize } = await issuerConfiguration();
        const [state, nonce, verifier] = [random(), random(), random()];
        const oldest = pending.size >= MOST_PENDING ? pending.keys().next().value : undefined;
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
      const signIn = pending.get(state);
      pending.delete(state);
      if (!signIn || now() > signIn.until) return refuse('SECURITY_ERROR', 'This sign-in was not started here, or has expired.', { hint: 'sign in again' });
      try {
        const { token, keys } = await issuerConfiguration();
        const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, client_id: clientId, code_verifier: signIn.verifier };
        const body = new URLSearchParams({ ...form, ...(clientSecret !== undefined && { client_secret: clientSecret }) });
        const { id_token: idToken } = await askJson(token, { method: 'POST', body });
        const options = { issuer, audience: clientId, currentDate: new Date(now()), requiredClaims: ['sub', 'exp', 'nonce'] };
        const { payload } = await jwtVerify(String(idToken), keys, options);
        if (payload['nonce'] !== signIn.nonce || payload.sub === undefined) throw new Error('the answer belongs to another sign-in');
        return ok({ subject: payload.sub });
      } catch (cause) {
        return failed(cause);
      }
    },
  };
}
