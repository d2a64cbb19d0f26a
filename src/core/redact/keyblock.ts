import type { Rule } from './scan.ts';
import { ALNUM, mayBegin, runEnd } from './span.ts';
import { isExample } from './placeholder.ts';

/** `-----BEGIN … PRIVATE KEY-----`, PGP's `KEY BLOCK`, and the form of PuTTY. */
const HEAD = /-----BEGIN (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y;
const TAIL = /-----END (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y;
/** Text between two lines of a key: line ends, real or escaped, and the marks that diffs, quotes and listings put before a line. */
const GAP = /(?:\\{1,4}[nrt]|[\s"'`,;>|+]|\\(?=\s)|-(?!-)|-(?=-----)|\d{1,6}(?:→|[:|\t]))*/y;
const FIELD = /[A-Za-z][A-Za-z-]{2,20}: [^\n\\"]{0,120}/y;
const BODY = /(?:[A-Za-z0-9+/=]|\\\/)+/y;
/** A full line of a key. The first line must be one, so that code that only names the marker stays readable. */
const FULL = 40;
/** Header fields at the start of a block. */
const FIELDS = 8;

const endOf = (pattern: RegExp, text: string, from: number): number => {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
};

/** The last line of a key that was cut off: anything but a plain word. */
const remnant = (line: string): boolean => !/^[A-Z]?[a-z]*$|^[A-Z]+$|^\d{1,4}$/.test(line);

/** The end marker after a short last line, with PGP's checksum line between them or not. */
const closing = (text: string, from: number): number => {
  const next = endOf(GAP, text, from);
  const checksum = endOf(GAP, text, endOf(BODY, text, next));
  return [next, checksum].map((place) => [place, endOf(TAIL, text, place)] as const).find(([place, end]) => end > place)?.[1] ?? from;
};

/** The end of the block that opens before `from`, or `from` if no key follows. */
const blockEnd = (text: string, from: number): number => {
  let end = from;
  let full = false;
  let fields = 0;
  for (let place = from; place < text.length;) {
    const line = endOf(GAP, text, place);
    const tail = endOf(TAIL, text, line);
    if (tail > line) return full ? tail : from;
    const field = full ? line : endOf(FIELD, text, line);
    if (field > line) {
      if (++fields > FIELDS) return from;
      place = field;
      continue;
    }
    const body = endOf(BODY, text, line);
    const length = body - line;
    if (length === 0 || (length < FULL && !full)) break;
    if (length < FULL) {
      const closed = closing(text, body);
      if (closed > body) return closed;
      return remnant(text.slice(line, body)) ? body : end;
    }
    full = true;
    end = body;
    place = body;
  }
  return end;
};

const pem: Rule = {
  anchors: ['-----BEGIN '],
  match: (text, start) => {
    const head = endOf(HEAD, text, start);
    const end = head === start ? head : blockEnd(text, head);
    return end === head ? undefined : { kind: 'private-key', start, end };
  },
};

const PUTTY = /private-lines: \d{1,4}(?:\s|\\r|\\n)+/iy;

/** PuTTY's key files put the secret lines after a count. */
const putty: Rule = {
  anchors: ['private-lines:'],
  anyCase: true,
  match: (text, start) => {
    const head = endOf(PUTTY, text, start);
    const end = head === start ? head : blockEnd(text, head);
    return end === head ? undefined : { kind: 'private-key', start: head, end };
  },
};

const PACKED_HEAD = /UFJJVkFURSBL|BSSVZBVEUgS0VZ|QUklWQVRFIEtF/;
const HEAD_WINDOW = 72;
/** A packed key in YAML may be folded into lines of their own. */
const FOLD = /(?:\r?\n|\\{1,3}n)[ \t+>|-]{0,20}(?=[A-Za-z0-9+/=]{16})/y;

/** A private key packed into base64 once more, as Kubernetes keeps `tls.key` and `client-key-data`. */
const packed: Rule = {
  anchors: ['LS0tLS1CRUdJTi'],
  match: (text, start) => {
    if (!PACKED_HEAD.test(text.slice(start, start + HEAD_WINDOW))) return undefined;
    let end = endOf(BODY, text, start);
    for (let fold = endOf(FOLD, text, end); fold > end; fold = endOf(FOLD, text, end)) end = endOf(BODY, text, fold);
    return { kind: 'private-key', start, end };
  },
};

export const KEY_RULES: readonly Rule[] = [pem, putty, packed];

/** Extended private keys begin alike; public ones begin with `xpub`. */
const extended: Rule = {
  anchors: ['xprv', 'yprv', 'zprv', 'tprv', 'uprv', 'vprv'],
  match: (text, at, edge) => {
    const end = runEnd(text, at, ALNUM, at + 120);
    return mayBegin(text, at, edge) && end - at >= 100 && end - at <= 115 ? { kind: 'wallet-key', start: at, end } : undefined;
  },
};

const BASE58 = '[1-9A-HJ-NP-Za-km-z]';
/** A key on its own looks like a hash; only the words before it identify it. */
const KEY = new RegExp(String.raw`[^\n\\]{0,40}?[ \t"'${'`'}:=(](?:((?:0x)?[0-9a-fA-F]{64}|5[HJK]${BASE58}{49}|[KL]${BASE58}{51})(?![A-Za-z0-9]))`, 'dy');

const rule: Rule = {
  anchors: ['private key', 'private-key', 'privatekey', 'privkey', 'wif:', 'wif '],
  anyCase: true,
  named: true,
  match: (text, at, _edge, literal) => {
    KEY.lastIndex = at + literal.length - 1;
    const place = KEY.exec(text)?.indices?.[1];
    if (place === undefined) return undefined;
    const [start, end] = place;
    return isExample(text.slice(start, end)) ? undefined : { kind: 'wallet-key', start, end };
  },
};

/**
 * Twelve or more words after the name of a seed phrase. They are recognised by their form and by the lack of small words, which the list of BIP-39 does not
 * have and every sentence of this length does. The list itself would be 13 KB in every program.
 */
const PHRASE =
  /(?:phrases?|words?|mnemonics?|seed)(?:\\{0,3}["'])?(?:[ \t]{1,2}(?:is|are|was|were))?[ \t]{0,4}[:=]?(?:\s|\\{1,4}[nr]){0,4}[>+|-]?[ \t]{0,8}(?:\d{1,4}→)?\\{0,3}["'`]?((?:(?:\d{1,2}[.):][ \t]?)?[a-z]{3,8}(?:,?[ \t]|,?\r?\n[ \t+>|-]{0,8}|,?\\{1,4}n[ \t]{0,8})){11,23}(?:\d{1,2}[.):][ \t]?)?[a-z]{3,8})(?![a-z])/diy;
const SMALL_WORD =
  /\b(?:the|and|for|with|are|was|were|has|have|had|not|from|into|its|which|your|our|his|her|but|been|their|them|she|him|who|per|via|run|get|read)\b/;
const TELLING = /(?:seed|recovery|secret|backup|mnemonic|wallet)[ _-]?$/i;
const LEAST_WORDS = 12;

const phrase: Rule = {
  anchors: ['phrase', 'mnemonic', 'seed words', 'wallet seed'],
  anyCase: true,
  named: true,
  match: (text, at, _edge, literal) => {
    if (literal === 'phrase' && !TELLING.test(text.slice(Math.max(0, at - 12), at))) return undefined;
    PHRASE.lastIndex = literal.startsWith('seed') ? at + 5 : literal.startsWith('wallet') ? at + 7 : at;
    if (literal === 'wallet seed' && text.startsWith(' words', at + literal.length)) PHRASE.lastIndex = at + literal.length + 1;
    const hit = PHRASE.exec(text);
    const place = hit?.indices?.[1];
    if (place === undefined || hit?.[1] === undefined) return undefined;
    const words = hit[1].replace(/\\+[nr]/g, ' ').match(/[a-z]{3,8}/g) ?? [];
    if (words.length < LEAST_WORDS || SMALL_WORD.test(words.slice(0, LEAST_WORDS).join(' '))) return undefined;
    return { kind: 'seed-phrase', start: place[0], end: place[1] };
  },
};

export const WALLET_RULES: readonly Rule[] = [extended, rule, phrase];
