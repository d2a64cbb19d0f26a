import type { Rule } from './scan.ts';

/** `-----BEGIN … PRIVATE KEY-----`, PGP's `KEY BLOCK`, and the form of PuTTY. */
const HEAD = /-----BEGIN (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y;
const TAIL = /-----END (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y;
/** What may stand between two lines of a key: line ends, real or escaped, and what diffs, quotes and listings put before a line. */
const GAP = /(?:\\{1,4}[nrt]|[\s"'`,;>|+]|\\(?=\s)|-(?!-)|-(?=-----)|\d{1,6}(?:→|[:|\t]))*/y;
const FIELD = /[A-Za-z][A-Za-z-]{2,20}: [^\n\\"]{0,120}/y;
const BODY = /(?:[A-Za-z0-9+/=]|\\\/)+/y;
/** A full line of a key; the first must be one, so that code which only names the marker stays readable. */
const FULL = 40;
/** Header fields a block may open with. */
const FIELDS = 8;

const at = (pattern: RegExp, text: string, from: number): number => {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
};

/** The last line of a key that was cut off: anything but a plain word. */
const remnant = (line: string): boolean => !/^[A-Z]?[a-z]*$|^[A-Z]+$|^\d{1,4}$/.test(line);

/** The end marker after a short last line, with PGP's checksum line between them or not. */
const closing = (text: string, from: number): number => {
  const next = at(GAP, text, from);
  const checksum = at(GAP, text, at(BODY, text, next));
  return [next, checksum].map((place) => [place, at(TAIL, text, place)] as const).find(([place, end]) => end > place)?.[1] ?? from;
};

/** Where the block that opens before `from` ends, or `from` when no key follows. */
const blockEnd = (text: string, from: number): number => {
  let end = from;
  let full = false;
  let fields = 0;
  for (let place = from; place < text.length;) {
    const line = at(GAP, text, place);
    const tail = at(TAIL, text, line);
    if (tail > line) return full ? tail : from;
    const field = full ? line : at(FIELD, text, line);
    if (field > line) {
      if (++fields > FIELDS) return from;
      place = field;
      continue;
    }
    const body = at(BODY, text, line);
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
    const head = at(HEAD, text, start);
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
    const head = at(PUTTY, text, start);
    const end = head === start ? head : blockEnd(text, head);
    return end === head ? undefined : { kind: 'private-key', start: head, end };
  },
};

const PACKED_HEAD = /UFJJVkFURSBL|BSSVZBVEUgS0VZ|QUklWQVRFIEtF/;
const PACKED_REACH = 72;
/** A packed key in YAML may be folded into lines of their own. */
const FOLD = /(?:\r?\n|\\{1,3}n)[ \t+>|-]{0,20}(?=[A-Za-z0-9+/=]{16})/y;

/** A private key packed into base64 once more, as Kubernetes keeps `tls.key` and `client-key-data`. */
const packed: Rule = {
  anchors: ['LS0tLS1CRUdJTi'],
  match: (text, start) => {
    if (!PACKED_HEAD.test(text.slice(start, start + PACKED_REACH))) return undefined;
    let end = at(BODY, text, start);
    for (let fold = at(FOLD, text, end); fold > end; fold = at(FOLD, text, end)) end = at(BODY, text, fold);
    return { kind: 'private-key', start, end };
  },
};

export const KEY_RULES: readonly Rule[] = [pem, putty, packed];
