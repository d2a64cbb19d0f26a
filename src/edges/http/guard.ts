import { createHash, timingSafeEqual } from 'node:crypto';

/** The page listens here and nowhere else. */
export const LOOPBACK = '127.0.0.1';
/** Sent with every write; no other site can send it without being asked first, and is then refused. */
export const WRITE_HEADER = 'x-holdfast-write';

/** The names by which the page may be called. Any other name that leads here was made to (DNS rebinding). */
const namesAt = (port: number): readonly string[] => [`${LOOPBACK}:${port}`, `localhost:${port}`];

export const isAllowedHost = (host: string | undefined, port: number): boolean => host !== undefined && namesAt(port).includes(host.toLowerCase());

export const isOwnOrigin = (origin: string | undefined, port: number): boolean =>
  origin !== undefined && namesAt(port).some((name) => origin.toLowerCase() === `http://${name}`);

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares in the same time whatever is given. */
export const isSameKey = (given: string, key: string): boolean => timingSafeEqual(digest(given), digest(key));

export const bearerOf = (header: string | undefined): string => /^Bearer (.+)$/.exec(header ?? '')?.[1] ?? '';

/** Nothing may run or load but what carries the nonce of this answer; nothing may frame the page or be sent elsewhere. */
export const policyWith = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "script-src-attr 'none'",
    `style-src 'nonce-${nonce}'`,
    "style-src-attr 'none'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ');

export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};
