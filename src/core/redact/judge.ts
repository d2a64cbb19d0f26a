import { isPlaceholderWord, isExample, isReference } from './placeholder.ts';

/** The kind of secret that a value's name indicates. A password may be any word; a token may not. */
export type SecretKind = 'password' | 'passphrase' | 'secret' | 'token' | 'api-key' | 'credential';

/** The context of a value: bare words in code are mostly names, bare words in an env file are values, words in prose are words. */
export type ValueContext = 'quoted' | 'env' | 'bare' | 'prose' | 'mention';

/** Characters by which a value is judged; a longer one is judged by its beginning. */
export const JUDGED = 192;

const classOf = (code: number): number => {
  if (code >= 48 && code <= 57) return 1;
  if (code >= 97 && code <= 122) return 2;
  if (code >= 65 && code <= 90) return 3;
  return 0;
};

interface Looks {
  readonly digits: number;
  readonly letters: number;
  readonly bothCases: boolean;
  /** Changes of character class per character: rare in words and versions, at every second or third place in random keys. */
  readonly restlessness: number;
}

const looksOf = (value: string): Looks => {
  const count = [0, 0, 0, 0];
  let changes = 0;
  let last = 0;
  for (let i = 0; i < value.length; i++) {
    const now = classOf(value.charCodeAt(i));
    count[now] = (count[now] ?? 0) + 1;
    // A capital at the start of a word is no change, and neither is a separator.
    if (now !== last && now !== 0 && last !== 0 && !(last === 3 && now === 2)) changes++;
    last = now;
  }
  const [, digits = 0, lower = 0, upper = 0] = count;
  const counted = digits + lower + upper;
  return { digits, letters: lower + upper, bothCases: lower > 0 && upper > 0, restlessness: counted === 0 ? 0 : changes / counted };
};

export const restlessness = (value: string): number => looksOf(value).restlessness;

/** A hash or an id in hexadecimal, which may have few letters. */
const HEX_PARTS = /^[0-9a-f]+(?:-[0-9a-f]+)*$/i;

/** Whether a value looks random: mixed letters and digits, or long with letters of both cases. */
export const looksRandom = (value: string, atLeast: number): boolean => {
  if (value.length < atLeast) return false;
  const looks = looksOf(value);
  if (looks.letters === 0) return false;
  // Camel case rarely has three runs of capitals; random letters do.
  const shuffled = looks.bothCases && value.length >= 20 && (value.match(/[A-Z]{2,}/g) ?? []).length >= 3;
  if (looks.digits < 2) return shuffled || (value.length >= 20 && looks.bothCases && looks.restlessness >= 0.2);
  if (value.length >= 20 && looks.digits >= 4 && HEX_PARTS.test(value)) return true;
  return shuffled || looks.restlessness >= 0.16 || (value.length >= 16 && looks.digits >= 4 && looks.letters >= 4 && !/[^A-Za-z0-9+/=]/.test(value));
};

const TYPE = /^(?:[A-Z][A-Za-z]*(?:<.*|\[.*|\||\?|!)?|(?:string|str|text|bytes|number|boolean|any|unknown)\b.*)$/;
const CALL = /^!?(?:await |new |f|r|b)?[A-Za-z_$][\w$]*(?:(?:\.|\?\.|::|->)[A-Za-z_$][\w$]*)*(?:!?[([]|<[A-Za-z]|::|->|&&|\|\||\?\?)/;
const MEMBER = /^!?[A-Za-z_$][\w$]*(?:(?:\.|\?\.|::|->)[A-Za-z_$][\w$]*)+$/;
const IDENTIFIER =
  /^[A-Za-z_$]+$|^[A-Za-z_$]*(?:pass|pw|user|arg|param|token|secret|key|value|str|text|input|field|var|tmp|data|item|name|version)[A-Za-z_$]*[0-9]{1,2}$/i;
const PATH = /^(?:~|\.{1,2})?\/[\w.@-]+(?:\/[\w.@-]*)*$|^[A-Za-z]:\\/;
const RULES = /^(?:required|nullable|sometimes|present|min|max)\b.*[|:]/;

const pathLike = (value: string): boolean => PATH.test(value) && !value.split('/').some((part) => looksRandom(part, 16));

/** Bare in code: a call, a member or the start of an expression rather than a value. */
const expressionLike = (value: string): boolean =>
  (CALL.test(value) && !/\)[A-Za-z0-9]/.test(value)) || (MEMBER.test(value) && restlessness(value) < 0.25) || /^[[{(|>&*]/.test(value);

/** Bare in code: a single name. */
const nameLike = (value: string): boolean => IDENTIFIER.test(value) || TYPE.test(value);

/** A field's name in the place of its value: `newPassword`, `password_confirm`. */
const LABEL = /^[A-Za-z_-]+$/;
const labelLike = (value: string): boolean => LABEL.test(value) && /[a-z]Pass(?:word|phrase)|[_-]pass|pass(?:word|wd|phrase)(?:[_-]|[A-Z])/.test(value);

/** Several words joined by underscores, a digit among them or not. */
const snakeLike = (value: string): boolean => /^[a-z0-9]+(?:_[a-z0-9]+){2,}$/i.test(value) && restlessness(value) < 0.1;

const strongPassword = (value: string): boolean => value.length >= 6 && /[A-Za-z]/.test(value) && /[0-9!@#%^&*?+=~]/.test(value);

const passwordLike = (value: string, form: ValueContext): boolean => {
  if (RULES.test(value)) return false;
  if (form === 'env') return value.length >= 4;
  if (labelLike(value)) return false;
  if (form === 'quoted') return value.length >= 4 && (/[^A-Za-z]/.test(value) || (value.length >= 6 && !/^[A-Z][a-z]+$/.test(value)));
  if (form === 'mention')
    return value.length >= 8 && /\d/.test(value) && /[a-z]/.test(value) && /[A-Z!@#$%^&*]/.test(value) && restlessness(value) >= 0.15 && !snakeLike(value);
  if (form === 'prose') return strongPassword(value) && !snakeLike(value) && !/^[A-Za-z]+['’.!?,:]*[a-z]*$/.test(value);
  return !nameLike(value) && (strongPassword(value) || /^\d{6,}$/.test(value));
};

/** base64 of `user:password`, as registries store it: short, and often without a digit. */
export const encodedPair = (value: string): boolean =>
  value.length % 4 === 0 && /^[A-Za-z0-9+/]{10,}={0,2}$/.test(value) && /[a-z]/.test(value) && /[A-Z]/.test(value) && restlessness(value) >= 0.12;

/** Words that show that a phrase is a sentence about passwords, not a passphrase. */
const SENTENCE =
  /\b(?:the|is|are|for|your|my|our|enter|must|should|be|been|a|an|to|of|in|on|at|or|no|not|and|with|please|field|required|invalid|least|characters?|passwords?|passphrase)\b/i;

/** Words with spaces between them: a passphrase, or under a password's name four plain words. */
const phraseLike = (value: string, claim: SecretKind, form: ValueContext): boolean => {
  if (SENTENCE.test(value) || expressionLike(value)) return false;
  if (claim === 'passphrase') return value.length >= (form === 'env' ? 6 : 12) && !/^[A-Z][a-z]+ [a-z]/.test(value);
  return claim === 'password' && form === 'quoted' && /^[a-z]{3,}(?:[ -][a-z]{3,}){3,}$/.test(value);
};

/** The characters of keys and tokens; brackets and bars belong to patterns and code. */
const KEY_CHARS = /^[A-Za-z0-9_\-./+=~:%@$!#*^&,]+$/;

/** The text without references: nothing is left of `${prefix}-${id}`. */
const ownPart = (value: string): string => (/[{(%]/.test(value) ? value.replace(/\$?\{\{?[^}]{0,200}\}\}?|\$\([^)]{0,200}\)|%[sd]/g, '') : value);

/** Whether the value looks like the kind of secret that its name indicates. */
const plausible = (value: string, claim: SecretKind, form: ValueContext): boolean => {
  if (/\s/.test(value)) return phraseLike(value, claim, form);
  if (claim === 'password' || claim === 'passphrase') return passwordLike(value, form);
  if (form === 'env' && claim === 'secret') return value.length >= 8;
  if (claim === 'credential' && encodedPair(value)) return true;
  return (
    looksRandom(value, claim === 'token' || form === 'prose' ? 12 : 8) && KEY_CHARS.test(value) && !(form === 'bare' && nameLike(value) && value.length < 24)
  );
};

/** Whether a value only replaces a secret: a blank, a reference, an example, a path, code. */
const standIn = (value: string, form: ValueContext): boolean =>
  isPlaceholderWord(value) || isReference(value) || isExample(value) || pathLike(value) || (form === 'bare' && expressionLike(value));

/** Whether a value under a secret's name is really a secret. */
export const isSecret = (raw: string, claim: SecretKind, form: ValueContext): boolean => {
  const value = raw.slice(0, JUDGED);
  const own = ownPart(value);
  // The look is checked first, because that is cheapest and rejects most values.
  return own.length >= 4 && plausible(own, claim, form) && !standIn(value, form);
};

/** Words that may follow the keyword in a name without changing its meaning. */
const SUFFIX = '(?:[_-]?(?:value|string|text|raw|plain|base64|b64|base|prod|production|dev|staging|test|live|\\d{1,2}))';
const TRAILING = new RegExp(`${SUFFIX}$`, 'i');
/** After the keyword: an allowed suffix, then the end of the name. */
export const NAME_END = new RegExp(`${SUFFIX}?(?![A-Za-z0-9_]|-[A-Za-z])`, 'iy');

const KEY_NAMES =
  /(?:api|access|secret|private|signing|sign|encryption|encrypt|decryption|master|account|auth|service|storage|subscription|app|application|admin|client|consumer|server|webhook|hmac|jwt|cipher|aes|license|session|functions|shared|deploy|write|role|anon)[_.\- ]?key$/i;
const OTHER_KEYS =
  /(?:public|cache|primary|foreign|partition|sort|idempotency|registry|row|group|routing|dedup|lookup|index|object|storage|s3|translation|i18n|hot|map|query|lock|redis|ssh_host)[_.\- ]?key$/i;
const OTHER_TOKENS =
  /(?:next|page|continuation|sync|cursor|max|min|num|stop|eos|bos|pad|unk|mask|sep|cls|per|total|prompt|completion|current|peek|prev|last|first|start|end|design|cancel|cancellation|abort)[_-]?token$/i;
/** A name in the style of environment variables. */
export const SHOUTED = /^[A-Z][A-Z0-9_]*$/;

/** The kind of secret that a name indicates; undefined for other names. */
export const secretKindOf = (name: string): SecretKind | undefined => {
  const bare = name.replace(TRAILING, '');
  if (/passphrase$/i.test(bare)) return 'passphrase';
  if (/(?:password|passwd|passcode|pwd)$/i.test(bare)) return 'password';
  if (/(?:^|[_.-])pw$/i.test(bare)) return 'password';
  // `pass` alone counts test results as often as it names a password.
  if (/(?:^|[_.-])pass$/.test(bare) || /_PASS$|[a-z]Pass$/.test(bare)) return 'password';
  if (/secret$/i.test(bare)) return 'secret';
  if (/token$/i.test(bare)) return OTHER_TOKENS.test(bare) ? undefined : 'token';
  if (/key$/i.test(bare)) {
    if (KEY_NAMES.test(bare)) return 'api-key';
    return SHOUTED.test(bare) && bare.endsWith('_KEY') && !OTHER_KEYS.test(bare) ? 'api-key' : undefined;
  }
  if (/credentials?$/i.test(bare)) return 'credential';
  return /(?:^|[_.-])auth$/i.test(bare) ? 'credential' : undefined;
};

/** The name says which vendor's key it is. */
export const secretLabel = (claim: SecretKind, name: string, value: string): string => {
  if (/secret_?access_?key$/i.test(name) && value.length === 40) return 'aws-secret-key';
  if (/(?:account|storage)_?key$/i.test(name) && value.length === 88) return 'azure-storage-key';
  if (/sharedaccesskey$/i.test(name)) return 'azure-storage-key';
  return claim;
};
