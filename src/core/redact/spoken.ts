import { isSecret, restlessness } from './judge.ts';
import type { Rule } from './scan.ts';

/** Passwords in prose: in other languages than English, and without a word between name and value. */

/** The common beginning of all forms of the word for a password; at least three characters for the scan. */
const WORDS = [
  ...['passwort', 'kennwort', 'mot de passe', 'mdp:', 'mdp :', 'mdp =', 'contraseña', 'contrasena', 'senha', 'palavra-passe', 'wachtwoord', 'hasło', 'haslo'],
  ...['пароль', 'пароля', 'şifre', 'sifre', 'parola', 'lösenord', 'adgangskode', 'passord', 'salasana', 'heslo', 'jelszó', 'mật khẩu', 'kata sandi'],
  ...[
    'κωδικός',
    'パスワード',
    '비밀번호',
    '密码是',
    '密码为',
    '密码:',
    '密码：',
    '密码 ',
    '密碼是',
    '密碼為',
    '密碼:',
    '密碼：',
    'पासवर्ड',
    'كلمة المرور',
    'סיסמה',
    'סיסמא',
  ],
];

/** Endings of the word, or particles that are written to it. */
const ENDING = String.raw`[\p{L}\p{M}]{0,4}`;
/** `für den Staging-Server`, `del servidor de pruebas` */
const FOR_WHAT = String.raw`(?:[ \t][\p{L}\p{M}\d._@'’-]{1,24}){0,5}?`;
const VERB = 'ist|lautet|est|es|é|è|is|to|jest|är|er|on|je|là|là:|adalah|είναι|это|है|هي|היא|van|az|olarak|este';
const JOINED = String.raw`(?:[ \t]{0,4}[:：=][ \t]{0,4}|[ \t](?:${VERB})[: \t][ \t]{0,3}|[ \t][—–-][ \t]|(?<=[はが是为為는은이:：])[ \t]{0,2})`;
const OPENING = String.raw`\\{0,3}["'${'`'}„“«「『]?`;
const PATTERN = new RegExp(String.raw`${ENDING}(?:${FOR_WHAT}${JOINED}|([ \t]))${OPENING}(?=[!-~]{6})`, 'iuy');
/** A value; it ends at white space, quotes and non-ASCII characters, because the sentence around it is in another script. */
const VALUE = /[!#-&(-~]{6,64}/y;

const valueAt = (text: string, start: number): string => {
  VALUE.lastIndex = start;
  return VALUE.exec(text)?.[0].replace(/[.,;:!?)\]]+$|(?:\\+n.*)$/, '') ?? '';
};

/** Letters and digits, and nothing that belongs to code, paths and numbers. */
const isMixed = (value: string): boolean => /[A-Za-z]/.test(value) && /\d/.test(value) && !/[/\\(){}=]|^\W|^v?\d+[.\d]*$/.test(value);

/** Whether a value is no file name, version or date, and no word with a number after it. */
const isUnlikeText = (value: string): boolean => !/\.\w{1,4}$|^\d{4}-\d\d/.test(value) && (restlessness(value) > 0 || /[-!#%*?+]/.test(value));

const passwordAt = (value: string, start: number): ReturnType<Rule['match']> =>
  isMixed(value) && isSecret(value, 'password', 'prose') ? { kind: 'password', start, end: start + value.length } : undefined;

const spoken: Rule = {
  anchors: WORDS,
  anyCase: true,
  named: true,
  match: (text, at, _edge, literal) => {
    PATTERN.lastIndex = at + literal.length;
    // A colon may belong to the anchor.
    if (/[:：=是为為 ]$/.test(literal)) PATTERN.lastIndex--;
    const match = PATTERN.exec(text);
    if (match === null) return undefined;
    const value = valueAt(text, PATTERN.lastIndex);
    // Without a word between anchor and value, the value must look like a password.
    return match[1] !== undefined && !isUnlikeText(value) ? undefined : passwordAt(value, PATTERN.lastIndex);
  },
};

/** `root password X`: the owner is before the word, the value right after it. */
const OWNER =
  /(?:^|[^A-Za-z0-9]|\\[nrt])(?:root|admin|administrator|sudo|wifi|wi-fi|wlan|vpn|router|ssh|login|database|db|mysql|postgres|redis|sa|default|master|user|guest) $/i;
const NEXT = /password[ \t]{1,2}["'`]?(?=[A-Za-z0-9][^\s]{5})/iy;

const owned: Rule = {
  anchors: ['password '],
  anyCase: true,
  named: true,
  match: (text, at) => {
    NEXT.lastIndex = at;
    if (!OWNER.test(text.slice(Math.max(0, at - 24), at)) || !NEXT.test(text)) return undefined;
    const value = valueAt(text, NEXT.lastIndex);
    return isUnlikeText(value) ? passwordAt(value, NEXT.lastIndex) : undefined;
  },
};

/** Italian says `la password del database è X`. */
const ITALIAN = /password(?:[ \t](?:del|della|di|dello|per)[ \t'’][\p{L}\d._@'’-]{1,24}){0,2}[ \t]è[ \t]["'`]?(?=[!-~]{6})/iuy;

const italian: Rule = {
  anchors: ['password '],
  anyCase: true,
  named: true,
  match: (text, at) => {
    ITALIAN.lastIndex = at;
    return ITALIAN.test(text) ? passwordAt(valueAt(text, ITALIAN.lastIndex), ITALIAN.lastIndex) : undefined;
  },
};

/** `use X as the admin password`: the value is before the word. */
const BEFORE = /(?:^|[\s"'`+→|:-]|\\[nrt])([A-Za-z0-9][!#-&(-[\]-_a-~]{5,39})["'`]?[ \t](?:as|is)[ \t](?:the|our|my|your|its|a)[ \t](?:[\w-]{1,20}[ \t]){0,2}$/;
/** The end of the clause, or the purpose of the password: a `password hash` is none. */
const AFTER = /^(?:word|phrase)(?:$|[.,;:!?)\n"'`\\]|[ \t](?:for|of|on|in|to|when|and|until|from)\b)/i;
const CONTEXT_LENGTH = 100;

const before: Rule = {
  anchors: ['password', 'passphrase'],
  anyCase: true,
  named: true,
  match: (text, at) => {
    const from = Math.max(0, at - CONTEXT_LENGTH);
    const introduction = AFTER.test(text.slice(at + 'pass'.length, at + 20)) ? BEFORE.exec(text.slice(from, at)) : null;
    if (introduction?.[1] === undefined || !isUnlikeText(introduction[1])) return undefined;
    return passwordAt(introduction[1], from + introduction.index + introduction[0].indexOf(introduction[1]));
  },
};

export const SPOKEN_RULES: readonly Rule[] = [spoken, owned, italian, before];
