/** Values in the place of a secret: examples, blanks to fill in, references. */

const ALREADY = /^\[(?:redacted(?::[a-z0-9-]+)?|private|hidden|masked|filtered|secret)\]/i;

/** Words that only documentation writes inside a key; long or delimited, so that a random key does not contain one by chance. */
const EXAMPLE_WORD =
  /example|placeholder|redacted|^change[_-]?(?:me|it)[\d!]{0,4}$|^change[_-]this|(?:^|[_.-])(?:your|fake|dummy|sample|insert|replace)(?:[_.-]|$)|^your(?:api|access|client|secret|token|pass|key)/i;

const FILLER = /[xX]{5,}|[*•·●#.…-]{5,}|^[xX*•.]+$|(?:^|[-_])[xX*•.]{4,}|0{10,}|\.\.\.$|…$/;

/** A regular key (`abc…`, `123…`) does not count as an example: in doubt, a key is redacted. */
export const isExample = (value: string): boolean => ALREADY.test(value) || EXAMPLE_WORD.test(value) || FILLER.test(value) || isPublished(value);

const REFERENCE = new RegExp(
  [
    String.raw`^\$(?:[{([]|[A-Za-z_]\w*(?:$|[-.:[>/]))`,
    String.raw`^\\?\$\{`,
    String.raw`^<[^>]*>?$`,
    String.raw`^\{\{|^\{%|^\{[\w.]*\}$|^#\{|^%[({]|^%[A-Za-z_]+%?$|^@[A-Za-z_.]+@?$|^:[a-z_]+$|^!(?:Ref|Sub|GetAtt|secret|env_var|vault)\b`,
    String.raw`^&?(?:process\.env|import\.meta|os\.|System\.|Deno\.env|Bun\.env|env[.:[]|ENV[.[(]|secrets?\.|vars\.|var\.|local\.|data\.|module\.|config\.|settings\.|self\.|this\.|props\.|req\.|ctx\.|opts?\.|options\.|args\.)`,
    String.raw`^(?:op|vault|keyring|keychain|file|ssm|sm|secret|secretsmanager|https?|arn|ref|env|doppler|bws)(?::\/\/|:[A-Za-z/])|^(?:id|type|src|source|env)=`,
    String.raw`^projects/[\w-]+/secrets/`,
  ].join('|'),
);

export const isReference = (value: string): boolean => REFERENCE.test(value);

const BLANKS: ReadonlySet<string> = new Set(
  (
    'password passwd pass pwd passphrase secret token apikey key auth value string str text number int integer bool boolean bytes object array any unknown never void ' +
    'null nil none undefined true false yes no on off empty blank optional required default test testing demo admin root user username login email guest ' +
    'mypassword mysecret mytoken yourpassword yoursecret yourtoken yourapikey secretkey accesskey privatekey foo bar baz foobar todo tbd na ' +
    'passed failed ok different same hidden masked redacted removed omitted include omit sameorigin sensitive invalid valid missing wrong incorrect correct clear plain bearer basic oauth oauth2 jwt ' +
    'accesstoken refreshtoken idtoken authtoken clientsecret sessiontoken apitoken newpassword oldpassword currentpassword confirmpassword dbpassword userpassword'
  ).split(' '),
);

const ALGORITHM =
  /^(?:base64(?:url)?|utf-?(?:8|16)(?:le)?|latin1|sha-?\d{1,3}|md[45]|pbkdf2|argon2(?:id|i|d)?|[hrep]s\d{3}|ed25519|x25519|aes-?\d{3}(?:-\w{3})?|0x[0-9a-f]{1,8})$/i;

/** A word that replaces a value. */
export const isPlaceholderWord = (value: string): boolean =>
  ALGORITHM.test(value) || BLANKS.has(value.toLowerCase().replace(/[^a-z0-9]/g, '')) || !/[A-Za-z0-9]/.test(value);

/** 32-bit FNV-1a, which identifies a published example without having it in this source. */
const fingerprint = (value: string): number => {
  let hash = 0x811c9dc5;
  for (let i = 0; i < value.length; i++) hash = Math.imul(hash ^ value.charCodeAt(i), 0x01000193);
  return hash >>> 0;
};

/** Keys that vendors print in their own documentation: jwt.io's tokens, Stripe's two test keys, the Telegram bot of the API reference, Google's Maps sample. */
const PUBLISHED: ReadonlySet<number> = new Set([0x1cc53023, 0x0bcb13ed, 0xca3f82eb, 0xe972e9a4, 0x1d14fe37, 0x91627570, 0x9e3ca2d9]);

const isPublished = (value: string): boolean => value.length < 400 && PUBLISHED.has(fingerprint(value));
