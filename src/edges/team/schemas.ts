import * as z from 'zod/mini';
import { CATEGORIES } from '../../core/record/category.ts';
import { ROLES, SCOPES_OF_TOKENS } from '../../core/ports/team/store.ts';
import { MOST_DAYS } from '../../app/team/access.ts';

/** The schemas of the API. They check requests, and the OpenAPI document is made from them. */

const HASH = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const CURSOR = z.string().check(z.regex(/^\d{1,15}\.[0-9a-f]{0,64}$/));
const KIND = z.enum(['text', 'deleted', 'forgotten']);
/** A version's text as JSON; an upper bound for a record's size. */
const BODY = z.string().check(z.maxLength(6_000_000));
/** One line without NUL, which PostgreSQL cannot store. */
const NAME = z.string().check(z.regex(/^[^\p{Cc}]{1,200}$/u));
const MEMBER_NAME = z.string().check(z.regex(/^[a-z0-9][a-z0-9._-]{0,62}$/));

export const PROJECT_KEY = z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/));
export const SPACE = z.enum(['shared', 'private']);
export const PROPOSAL_NUMBER = z.string().check(z.regex(/^[1-9]\d{0,8}$/));
export const TOKEN_ID = z.string().check(z.regex(/^[0-9a-f]{12}$/));
export const MEMBER_PARAM = MEMBER_NAME;
export const VERSION_ID = HASH;

const VERSION = z.strictObject({ id: HASH, hash: HASH, kind: KIND, body: z.optional(BODY), ancestors: z.array(HASH).check(z.maxLength(60)) });
const OFFERED = z.strictObject({ ...VERSION.shape, base: z.nullable(HASH) });
const MEMBER = z.strictObject({ member: MEMBER_NAME, name: NAME, role: z.enum(ROLES), subject: z.optional(NAME) });
const SCOPES = z.array(z.enum(SCOPES_OF_TOKENS)).check(z.minLength(1), z.maxLength(4));
const PROPOSAL = z.strictObject({
  number: z.number(),
  kind: KIND,
  author: z.string(),
  state: z.enum(['open', 'accepted', 'rejected']),
  at: z.string(),
  reviewer: z.optional(z.string()),
  reason: z.optional(z.string()),
  path: z.optional(z.string()),
  text: z.optional(z.string()),
  before: z.optional(z.string()),
});
const PROJECT = z.strictObject({ key: PROJECT_KEY, review: z.boolean() });
const DAYS = z.number().check(z.int(), z.minimum(1), z.maximum(MOST_DAYS));
const NOTHING = z.strictObject({ ok: z.literal(true) });

const INSTANT = z.string().check(z.regex(/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/));
const ITEM_KIND = z.enum(['record', 'document']);
/** Where the next page of a list begins. */
const NEXT = z.string().check(z.regex(/^\d{1,15}\.[0-9a-f]{64}$/));
const COUNT = z.string().check(z.regex(/^[1-9]\d?$|^100$/));
const ITEM = z.strictObject({
  kind: ITEM_KIND,
  id: z.string(),
  title: z.string(),
  status: z.string(),
  trust: z.string(),
  path: z.string(),
  files: z.array(z.string()),
  category: z.optional(z.string()),
  created_at: z.optional(z.string()),
  updated_at: z.optional(z.string()),
  superseded_by: z.optional(z.string()),
});
const HIT = z.strictObject({
  kind: z.enum(['record', 'document', 'message']),
  id: z.string(),
  project: PROJECT_KEY,
  session_id: z.nullable(z.string()),
  message_id: z.nullable(z.string()),
  category: z.nullable(z.string()),
  status: z.string(),
  trust: z.optional(z.string()),
  title: z.string(),
  snippet: z.string(),
  score: z.number(),
  weak: z.optional(z.literal(true)),
  file: z.string(),
  at: z.nullable(z.string()),
  replaced_by: z.optional(z.string()),
  replaces: z.optional(z.string()),
});

const SESSION = z.string().check(z.regex(/^[^\p{Cc}/\\]{1,200}$/u));
const CONVERSATION = z.strictObject({
  id: z.string(),
  author: z.string(),
  client: z.string(),
  title: z.string(),
  messages: z.number(),
  started_at: z.optional(z.string()),
  ended_at: z.optional(z.string()),
});
const MESSAGE = z.strictObject({ id: z.string(), role: z.string(), at: z.optional(z.string()), speaker: z.optional(z.string()), text: z.string() });
/** A part of a conversation; a long one is sent in several parts. */
const CONVERSATION_TEXT = z.string().check(z.maxLength(4_000_000));

export const SESSION_PARAM = SESSION;

export const QUERIES = {
  search: z.strictObject({
    query: z.string().check(z.regex(/^[^\0]{1,2000}$/)),
    project: z.optional(PROJECT_KEY),
    kind: z.optional(z.enum(['record', 'document', 'message', 'all'])),
    category: z.optional(z.enum(CATEGORIES)),
    since: z.optional(INSTANT),
    until: z.optional(INSTANT),
    limit: z.optional(COUNT),
    retired: z.optional(z.enum(['true', 'false'])),
  }),
  records: z.strictObject({ before: z.optional(INSTANT), next: z.optional(NEXT), limit: z.optional(COUNT), kind: z.optional(ITEM_KIND) }),
  record: z.strictObject({ id: z.string().check(z.regex(/^[^\0]{1,300}$/)) }),
  conversations: z.strictObject({ before: z.optional(INSTANT), limit: z.optional(COUNT) }),
  messages: z.strictObject({ around: z.optional(z.string().check(z.regex(/^[^\0]{1,300}$/))), reach: z.optional(COUNT) }),
  changes: z.strictObject({ cursor: z.optional(CURSOR), tip: z.optional(CURSOR) }),
  proposals: z.strictObject({ state: z.optional(z.enum(['open', 'accepted', 'rejected'])) }),
  audit: z.strictObject({ limit: z.optional(z.string().check(z.regex(/^[1-9]\d{0,3}$/))) }),
} as const;

export const BODIES = {
  offer: z.strictObject({ versions: z.array(OFFERED).check(z.minLength(1), z.maxLength(200)), propose: z.optional(z.boolean()) }),
  wanted: z.strictObject({ conversations: z.array(z.strictObject({ id: SESSION, digest: HASH })).check(z.minLength(1), z.maxLength(1_000)) }),
  takeConversations: z.strictObject({
    conversations: z
      .array(z.strictObject({ text: CONVERSATION_TEXT, digest: z.optional(HASH), replaces: z.optional(z.boolean()) }))
      .check(z.minLength(1), z.maxLength(200)),
  }),
  decide: z.strictObject({ reason: z.string().check(z.regex(/^[^\0]{0,2000}$/)) }),
  addProject: z.strictObject({ key: PROJECT_KEY, review: z.optional(z.boolean()) }),
  changeProject: z.strictObject({ review: z.boolean() }),
  putMember: MEMBER,
  issueToken: z.strictObject({ member: z.optional(MEMBER_NAME), scopes: SCOPES, label: NAME, days: DAYS }),
  rotateToken: z.strictObject({ days: z.optional(DAYS) }),
} as const;

export const ANSWERS = {
  search: z.strictObject({ hits: z.array(HIT) }),
  records: z.strictObject({ records: z.array(ITEM), next: z.optional(NEXT) }),
  record: z.strictObject({ ...ITEM.shape, text: z.string(), hash: HASH }),
  me: z.strictObject({ organisation: z.string(), member: MEMBER, scopes: SCOPES, expires_at: z.string() }),
  changes: z.strictObject({ changes: z.array(VERSION), cursor: z.string(), more: z.boolean(), restarted: z.boolean() }),
  offer: z.strictObject({
    outcomes: z.array(
      z.strictObject({
        id: HASH,
        state: z.enum(['accepted', 'proposed', 'conflict', 'refused']),
        proposal: z.optional(z.string()),
        current: z.optional(VERSION),
        message: z.optional(z.string()),
      }),
    ),
    tip: z.string(),
  }),
  conversations: z.strictObject({ conversations: z.array(CONVERSATION) }),
  messages: z.strictObject({ conversation: CONVERSATION, messages: z.array(MESSAGE), earlier: z.number(), later: z.number() }),
  wanted: z.strictObject({ wanted: z.array(z.strictObject({ id: z.string(), known: z.boolean() })), others: z.array(z.string()) }),
  taken: z.strictObject({ messages: z.number() }),
  body: z.strictObject({ body: z.nullable(z.string()) }),
  proposals: z.strictObject({ proposals: z.array(PROPOSAL) }),
  proposal: PROPOSAL,
  projects: z.strictObject({ projects: z.array(PROJECT) }),
  project: PROJECT,
  members: z.strictObject({ members: z.array(MEMBER) }),
  member: MEMBER,
  token: z.strictObject({ id: TOKEN_ID, token: z.string(), expires_at: z.string() }),
  tokens: z.strictObject({
    tokens: z.array(
      z.strictObject({
        id: TOKEN_ID,
        member: z.string(),
        label: z.string(),
        scopes: SCOPES,
        expires_at: z.string(),
        revoked_at: z.optional(z.string()),
        made_from: z.optional(TOKEN_ID),
      }),
    ),
  }),
  audit: z.strictObject({ entries: z.array(z.strictObject({ at: z.string(), member: z.string(), action: z.string(), target: z.string() })) }),
  nothing: NOTHING,
  error: z.strictObject({ error: z.string(), message: z.string(), hint: z.optional(z.string()) }),
} as const;
