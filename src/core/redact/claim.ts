import type { SecretKind } from './judge.ts';

/** What may follow the telling word inside a name and leave its meaning alone. */
const SUFFIX = '(?:[_-]?(?:value|string|text|raw|plain|base64|b64|base|prod|production|dev|staging|test|live|\\d{1,2}))';
const TRAILING = new RegExp(`${SUFFIX}$`, 'i');
/** After the telling word: an allowed suffix, then no more of the name. */
export const NAME_END = new RegExp(`${SUFFIX}?(?![A-Za-z0-9_]|-[A-Za-z])`, 'iy');

const KEY_NAMES =
  /(?:api|access|secret|private|signing|sign|encryption|encrypt|decryption|master|account|auth|service|storage|subscription|app|application|admin|client|consumer|server|webhook|hmac|jwt|cipher|aes|license|session|functions|shared|deploy|write|role|anon)[_.\- ]?key$/i;
const OTHER_KEYS =
  /(?:public|cache|primary|foreign|partition|sort|idempotency|registry|row|group|routing|dedup|lookup|index|object|storage|s3|translation|i18n|hot|map|query|lock|redis|ssh_host)[_.\- ]?key$/i;
const OTHER_TOKENS =
  /(?:next|page|continuation|sync|cursor|max|min|num|stop|eos|bos|pad|unk|mask|sep|cls|per|total|prompt|completion|current|peek|prev|last|first|start|end|design|cancel|cancellation|abort)[_-]?token$/i;
/** The way environment variables are written. */
export const SHOUTED = /^[A-Z][A-Z0-9_]*$/;

/** What a name claims about the value beside it, or nothing when it claims no secret. */
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
