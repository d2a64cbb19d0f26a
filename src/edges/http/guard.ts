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
