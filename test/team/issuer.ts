import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { onTestFinished } from 'vitest';

/** What the next id token says in place of the truth. */
export interface Forgery {
  nonce?: string;
  audience?: string;
  issuer?: string;
  /** Signed with a key that the issuer does not publish. */
  otherKey?: boolean;
  expired?: boolean;
}

export interface Issuer {
  readonly url: string;
  subject: string;
  forgery: Forgery;
  /** The browser's answer after the user agreed. */
  code(authorizeUrl: string): { readonly code: string; readonly state: string };
}

/** An OpenID Connect issuer on loopback that checks PKCE as a real one does. */
export async function startIssuer(): Promise<Issuer> {
  const [own, other] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')];
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  const codes = new Map<string, URLSearchParams>();
  const issuer = { url: '', subject: 'subject-1', forgery: {} as Forgery };
  const idToken = (asked: URLSearchParams): Promise<string> => {
    const { nonce, audience, issuer: named, otherKey, expired } = issuer.forgery;
    const at = Math.floor(Date.now() / 1000) - (expired ? 7_200 : 0);
    return new SignJWT({ nonce: nonce ?? asked.get('nonce') })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setSubject(issuer.subject)
      .setIssuer(named ?? issuer.url)
      .setAudience(audience ?? asked.get('client_id') ?? '')
      .setIssuedAt(at)
      .setExpirationTime(at + 300)
      .sign((otherKey ? other : own).privateKey);
  };
  const agreed = (authorizeUrl: string): { readonly code: string; readonly state: string } => {
    const asked = new URL(authorizeUrl).searchParams;
    const code = crypto.randomUUID();
    codes.set(code, asked);
    return { code, state: asked.get('state') ?? '' };
  };
  const server = createServer((request, response) => {
    const at = new URL(request.url ?? '', 'http://issuer');
    // A user who agrees at once.
    if (at.pathname === '/authorize') {
      const back = new URL(at.searchParams.get('redirect_uri') ?? '');
      back.search = new URLSearchParams(agreed(at.href)).toString();
      return response.writeHead(302, { location: back.href }).end();
    }
    const answer = (status: number, value: unknown): void => void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (request.url === '/.well-known/openid-configuration')
      return answer(200, {
        issuer: issuer.url,
        authorization_endpoint: `${issuer.url}/authorize`,
        token_endpoint: `${issuer.url}/token`,
        jwks_uri: `${issuer.url}/keys`,
      });
    if (request.url === '/keys') return answer(200, { keys: [jwk] });
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      const form = new URLSearchParams(body);
      const asked = codes.get(form.get('code') ?? '');
      codes.delete(form.get('code') ?? '');
      void crypto.subtle.digest('SHA-256', new TextEncoder().encode(form.get('code_verifier') ?? '')).then(async (digest) => {
        if (!asked || Buffer.from(digest).toString('base64url') !== asked.get('code_challenge')) return answer(400, { error: 'invalid_grant' });
        return answer(200, { token_type: 'Bearer', access_token: 'x', id_token: await idToken(asked) });
      });
    });
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const address = server.address();
  issuer.url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  return Object.assign(issuer, {
    code: agreed,
  });
}
