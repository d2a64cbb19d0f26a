import { createHash, timingSafeEqual } from 'node:crypto';

export const LOOPBACK = '127.0.0.1';
/** Required for every write: another site can send it only after a preflight request, which is refused. */
export const WRITE_HEADER = 'x-holdfast-write';

/** The hosts that a request may name. Any other name points to DNS rebinding. */
const namesAt = (port: number): readonly string[] => [`${LOOPBACK}:${port}`, `localhost:${port}`];

export const isAllowedHost = (host: string | undefined, port: number): boolean => host !== undefined && namesAt(port).includes(host.toLowerCase());

export const isOwnOrigin = (origin: string | undefined, port: number): boolean =>
  origin !== undefined && namesAt(port).some((name) => origin.toLowerCase() === `http://${name}`);

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares in constant time. */
export const isSameKey = (given: string, key: string): boolean => timingSafeEqual(digest(given), digest(key));

export const bearerOf = (header: string | undefined): string => /^Bearer (.+)$/.exec(header ?? '')?.[1] ?? '';
