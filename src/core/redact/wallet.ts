import { ALNUM, mayBegin, runEnd } from './chars.ts';
import { isExample } from './placeholder.ts';
import type { Rule } from './scan.ts';

/** Extended private keys begin alike; public ones begin with `xpub`. */
const extended: Rule = {
  anchors: ['xprv', 'yprv', 'zprv', 'tprv', 'uprv', 'vprv'],
  match: (text, at, edge) => {
    const end = runEnd(text, at, ALNUM, at + 120);
    return mayBegin(text, at, edge) && end - at >= 100 && end - at <= 115 ? { kind: 'wallet-key', start: at, end } : undefined;
  },
};

const BASE58 = '[1-9A-HJ-NP-Za-km-z]';
/** A key on its own looks like a hash: only the words before it tell. */
const KEY = new RegExp(String.raw`[^\n\\]{0,40}?[ \t"'${'`'}:=(](?:((?:0x)?[0-9a-fA-F]{64}|5[HJK]${BASE58}{49}|[KL]${BASE58}{51})(?![A-Za-z0-9]))`, 'dy');

const told: Rule = {
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
 * Twelve or more words behind what announces a seed phrase. The words are known by their shape and by what is missing: the list of BIP-39 has none of the
 * small words that no sentence of this length does without. The list itself would be 13 KB in every program.
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

export const WALLET_RULES: readonly Rule[] = [extended, told, phrase];
