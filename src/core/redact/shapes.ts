import { BASE64, DECIMAL, DOTTED, mayBegin, runEnd, runStart, type Redaction, HARMLESS } from './span.ts';
import { looksRandom } from './judge.ts';
import { isExample } from './placeholder.ts';
import type { Rule } from './scan.ts';

const DIGITS = [...'0123456789'];
const HEX_DIGITS = [...'0123456789abcdef'];

/** A token recognised by its form: `pattern` is sticky and bounded, and begins at the anchor. */
const shape = (kind: string, anchors: readonly string[], pattern: RegExp): Rule => ({
  anchors,
  match: (text, at, edge) => {
    if (!mayBegin(text, at, edge)) return undefined;
    pattern.lastIndex = at;
    const hit = pattern.exec(text);
    return hit === null || isExample(hit[0]) ? undefined : { kind, start: at, end: at + hit[0].length };
  },
});

/** The same for a token whose anchor is `back` characters inside it, or after its leading digits. */
const shapeAround = (kind: string, anchors: readonly string[], back: number | 'digits', pattern: RegExp): Rule => ({
  anchors,
  match: (text, at, edge) => {
    const start = back === 'digits' ? runStart(text, at, DECIMAL, Math.min(10, at - edge)) : at - back;
    if (start < edge || (!mayBegin(text, start, edge) && !text.startsWith('bot', start - 3))) return undefined;
    pattern.lastIndex = start;
    const hit = pattern.exec(text);
    return hit === null || isExample(hit[0]) ? undefined : { kind, start, end: start + hit[0].length };
  },
});

const ACCESS_KEY_ID = /(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])/y;
const SECRET_NEARBY = /(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/])/g;
const NEARBY = 160;

/** An access key id and its secret, 40 characters in the lines after it. */
const aws: Rule = {
  anchors: ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
  match: (text, at, edge) => {
    ACCESS_KEY_ID.lastIndex = at;
    const id = mayBegin(text, at, edge) ? ACCESS_KEY_ID.exec(text)?.[0] : undefined;
    if (id === undefined || isExample(id)) return undefined;
    const end = at + id.length;
    const out: Redaction[] = [{ kind: 'aws-access-key-id', start: at, end }];
    for (const near of text.slice(end, end + NEARBY).matchAll(SECRET_NEARBY)) {
      const value = near[0];
      if (/^[0-9a-f]+$/i.test(value) || !looksRandom(value, 40) || isExample(value)) continue;
      out.push({ kind: 'aws-secret-key', start: end + near.index, end: end + near.index + value.length });
      break;
    }
    return out;
  },
};

const JWT_HEAD = /eyJ[A-Za-z0-9_-]{10,2000}\.(?=[A-Za-z0-9_-]{10})/y;

/** Header, claims and, if present, the signature or the further parts of an encrypted token. */
const jwt: Rule = {
  anchors: ['eyJ'],
  match: (text, at, edge) => {
    JWT_HEAD.lastIndex = at;
    if (!mayBegin(text, at, edge) || !JWT_HEAD.test(text)) return undefined;
    let end = runEnd(text, at, DOTTED);
    while (text[end - 1] === '.') end--;
    return { kind: isExample(text.slice(at, Math.min(end, at + 400))) ? HARMLESS : 'jwt', start: at, end };
  },
};

const WEBHOOKS: readonly (readonly [kind: string, host: string, path: RegExp])[] = [
  ['slack-webhook', 'hooks.slack.com/', /hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Za-z0-9_/-]{15,200}/y],
  ['discord-webhook', 'discord.com/api/', /discord\.com\/api\/(?:v\d+\/)?webhooks\/\d{10,25}\/[A-Za-z0-9_-]{20,200}/y],
  ['discord-webhook', 'discordapp.com/api/', /discordapp\.com\/api\/(?:v\d+\/)?webhooks\/\d{10,25}\/[A-Za-z0-9_-]{20,200}/y],
  ['teams-webhook', 'webhook.office.com/', /webhook\.office\.com\/webhookb2\/[A-Za-z0-9@/-]{40,300}/y],
  ['zapier-webhook', 'hooks.zapier.com/', /hooks\.zapier\.com\/hooks\/catch\/\d+\/[A-Za-z0-9]{5,40}/y],
];

/** Only the part of the address that grants access is redacted; the host stays. */
const webhook = ([kind, host, path]: (typeof WEBHOOKS)[number]): Rule => ({
  anchors: [host],
  match: (text, at) => {
    path.lastIndex = at;
    const hit = path.exec(text)?.[0];
    const start = at + host.length;
    return hit === undefined || isExample(hit.slice(host.length)) ? undefined : { kind, start, end: at + hit.length };
  },
});

const SAS = /sig=(?:[A-Za-z0-9+/]|%2[BbFf]){40,90}(?:=|%3[Dd]){0,2}/y;

/** The signature of a shared access link: the rest of the address stays. */
const sas: Rule = {
  anchors: ['sig='],
  match: (text, at) => {
    SAS.lastIndex = at;
    const hit = /[?&;"'\s]/.test(text[at - 1] ?? ' ') ? SAS.exec(text)?.[0] : undefined;
    return hit === undefined ? undefined : { kind: 'azure-sas-signature', start: at + 4, end: runEnd(text, at + hit.length, BASE64) };
  },
};

const SIGNATURE = /x-(?:amz|goog)-signature=[0-9a-f]{40,}/iy;

/** The signature of a link that gives access to an object in a bucket. */
const signedLink: Rule = {
  anchors: ['x-amz-signature=', 'x-goog-signature='],
  anyCase: true,
  match: (text, at, _edge, literal) => {
    SIGNATURE.lastIndex = at;
    const hit = SIGNATURE.exec(text)?.[0];
    return hit === undefined ? undefined : { kind: 'link-signature', start: at + literal.length, end: at + hit.length };
  },
};

const pairs = (left: readonly string[], middle: readonly string[], end = ''): string[] => left.flatMap((a) => middle.map((b) => `${a}${b}${end}`));

/** A Discord bot's id is a number in base64, so a token can only begin like this. */
const DISCORD_HEADS = pairs(['MT', 'Mj', 'Mz', 'ND', 'NT', 'Nj', 'Nz', 'OD', 'OT'], [...'AEIMQUYcgk']);

/** Tokens without a distinctive prefix, recognised by their structure. */
export const SHAPE_RULES: readonly Rule[] = [
  aws,
  jwt,
  sas,
  signedLink,
  ...WEBHOOKS.map(webhook),
  shape('sendgrid-key', ['SG.'], /SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}/y),
  shape('twilio-key', pairs(['SK', 'AC'], HEX_DIGITS), /(?:SK|AC)[0-9a-f]{32}(?![A-Za-z0-9])(?::[0-9a-f]{32}(?![A-Za-z0-9]))?/y),
  shape('1password-key', ['A3-'], /A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}(?![A-Za-z0-9])/y),
  shape('airtable-token', ['pat'], /pat[A-Za-z0-9]{14}\.[0-9a-f]{64}(?![A-Za-z0-9])/y),
  shape('resend-key', ['re_'], /re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}(?![A-Za-z0-9])/y),
  shape('cloudflare-key', ['v1.0-'], /v1\.0-[0-9a-f]{24}-[0-9a-f]{100,200}/y),
  shape('discord-token', DISCORD_HEADS, /[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9_-])/y),
  shapeAround('telegram-token', pairs(DIGITS, DIGITS, ':'), 'digits', /[0-9]{8,10}:[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/y),
  shapeAround('azure-client-secret', pairs(DIGITS, ['Q~']), 3, /[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~-])/y),
  shapeAround('terraform-token', ['.atlasv1.'], 14, /[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,80}/y),
  shapeAround('mailchimp-key', ['-us'], 32, /[0-9a-f]{32}-us[0-9]{1,2}(?![A-Za-z0-9])/y),
];
