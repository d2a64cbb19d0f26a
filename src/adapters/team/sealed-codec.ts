import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { VersionCodec } from '../../core/ports/team/sync.ts';
import { ok, refuse } from '../../core/result.ts';

const CIPHER = 'aes-256-gcm';
const [NONCE, TAG] = [12, 16];
const ASSOCIATED_DATA = Buffer.from('holdfast sealed record 1');

/** The checksum at the end of a key that the user copies to another machine. */
const checkOf = (key: string): string => createHmac('sha256', Buffer.from(key, 'hex')).update('check').digest('hex').slice(0, 4);

export const newKey = (): string => randomBytes(32).toString('hex');

export const shownKey = (key: string): string => `hfk-${`${key}${checkOf(key)}`.replaceAll(/(.{4})(?=.)/g, '$1-')}`;

/** The key that a user typed; undefined if a character is wrong. */
export function typedKey(text: string): string | undefined {
  const digits = text.trim().toLowerCase().replace(/^hfk-/, '').replaceAll(/[-\s]/g, '');
  const key = digits.slice(0, 64);
  return /^[0-9a-f]{68}$/.test(digits) && checkOf(key) === digits.slice(64) ? key : undefined;
}

/** Versions of private records, sealed with the user's key: the server sees neither name nor text, and can forge neither. */
export function sealedCodec(key: string): VersionCodec {
  const part = (name: string): Buffer => Buffer.from(hkdfSync('sha256', Buffer.from(key, 'hex'), Buffer.alloc(0), `holdfast ${name}`, 32));
  const [names, versions, texts] = [part('names'), part('versions'), part('texts')];
  const hmac = (under: Buffer, text: string): string => createHmac('sha256', under).update(text).digest('hex');
  return {
    idOf: (path) => hmac(names, path),
    hashOf: (path, text) => hmac(versions, `text ${path}\n${text}`),
    removalOf: (id, kind, last) => hmac(versions, `${kind} ${id} ${last ?? ''}`),
    pack: (path, text) => {
      const nonce = randomBytes(NONCE);
      const cipher = createCipheriv(CIPHER, texts, nonce, { authTagLength: TAG }).setAAD(ASSOCIATED_DATA);
      const sealed = Buffer.concat([cipher.update(JSON.stringify({ path, text }), 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
    },
    unpack: (body) => {
      const bytes = Buffer.from(body, 'base64');
      try {
        const decipher = createDecipheriv(CIPHER, texts, bytes.subarray(0, NONCE), { authTagLength: TAG }).setAAD(ASSOCIATED_DATA);
        decipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
        const plain = Buffer.concat([decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()]).toString('utf8');
        return ok(JSON.parse(plain) as { path: string; text: string });
      } catch {
        return refuse('SECURITY_ERROR', 'A private record from the server was sealed with another key, or is damaged.', {
          hint: 'holdfast sync key --import brings the key of your other machine here',
        });
      }
    },
  };
}
