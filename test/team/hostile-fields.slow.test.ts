import { expect, test } from 'vitest';
import { openApiDocument } from '../../src/edges/team/openapi.ts';
import { OPERATIONS } from '../../src/edges/team/operations.ts';
import { hasPostgres } from '../postgres/cluster.ts';
import { everythingOf, SQL_TEXTS } from './attacked.ts';
import { offeredRecord } from './records.ts';
import { serveForTest, type ServedTeam } from './served.ts';

const WORD = 'Heronwood';

/** The two organisations have the same of everything, so that an id of the one is a good guess in the other. */
async function filled(team: ServedTeam, name: string, word: string) {
  const org = await team.organisation(name);
  const token = await team.member(org, `${name}-admin`, 'admin');
  const [version, proposal] = [offeredRecord(`${word} plan`), offeredRecord(`${word} proposal`)];
  const ask = async (path: string, body: object): Promise<void> => {
    const { status, json } = await team.ask(token, 'POST', path, body);
    expect([path, status, json['message']]).toEqual([path, 200, undefined]);
  };
  await ask('v1/projects', { key: `${name}-hidden` });
  await ask('v1/projects/web/shared/versions', { versions: [version] });
  await ask('v1/projects/web/shared/versions', { versions: [proposal], propose: true });
  const lines = [
    { session: { sessionId: `${name}-session`, client: 'codex' } },
    { id: 'm1', sessionId: `${name}-session`, role: 'user', text: `${word} talk` },
  ];
  const conversation = lines.map((line) => JSON.stringify(line)).join('\n');
  await ask('v1/projects/web/conversations', { conversations: [{ text: conversation }] });
  return { org, token, tokenId: token.split('_')[2] ?? '', version, conversation };
}

/** Each place of a text, number or choice in a body, and the body with something else there. */
function* replaced(body: unknown, value: unknown, at = ''): Generator<{ readonly at: string; readonly body: unknown }> {
  if (Array.isArray(body)) {
    for (const [nth, one] of body.entries()) for (const inner of replaced(one, value, at)) yield { at: inner.at, body: body.with(nth, inner.body) };
  } else if (typeof body === 'object' && body !== null) {
    for (const [name, one] of Object.entries(body))
      for (const inner of replaced(one, value, `${at}.${name}`)) yield { at: inner.at, body: { ...body, [name]: inner.body } };
  } else yield { at, body: value };
}

type Schema = { readonly properties?: Record<string, Schema>; readonly items?: Schema };

/** The places that a schema has, written as `replaced` writes them. */
const placesIn = ({ properties, items }: Schema, at = ''): readonly string[] =>
  properties ? Object.entries(properties).flatMap(([name, one]) => placesIn(one, `${at}.${name}`)) : items ? placesIn(items, at) : [at];

interface Documented {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema: Schema }> };
}

test.skipIf(!hasPostgres)(
  'another organisation’s ids and SQL in each field of each operation read and change nothing of it, and break nothing',
  async () => {
    const team = await serveForTest();
    const [acme, evil] = [await filled(team, 'acme', WORD), await filled(team, 'evil', 'Vulture')];
    const before = await everythingOf(team, acme.org);
    const theirs = [acme.version.id, acme.version.hash, acme.tokenId, acme.token, 'acme', 'acme-admin', 'acme-hidden', 'acme-session', acme.org, '1', WORD];
    const values: readonly unknown[] = [...theirs, ...SQL_TEXTS, -1, null];
    const { version } = evil;
    const bodies: Record<string, unknown> = {
      'post /v1/projects/{project}/conversations/wanted': { conversations: [{ id: 'evil-session', digest: version.hash }] },
      'post /v1/projects/{project}/conversations': { conversations: [{ text: evil.conversation, digest: version.hash, replaces: false }] },
      'post /v1/projects/{project}/{space}/versions': { versions: [{ ...version, ancestors: [version.hash], base: version.hash }], propose: false },
      'post /v1/projects/{project}/record': { id: 'decision/vulture-plan', text: 'Vulture', hash: version.hash, propose: false },
      'post /v1/projects/{project}/proposals/{number}/accept': { reason: 'yes' },
      'post /v1/projects/{project}/proposals/{number}/reject': { reason: 'no' },
      'post /v1/projects': { key: 'web', review: false },
      'patch /v1/projects/{project}': { review: false },
      'put /v1/members': { member: 'bo', name: 'Bo', role: 'reader', subject: 'bo' },
      'post /v1/tokens': { member: 'evil-admin', scopes: ['read'], label: 'one', days: 1 },
      'post /v1/tokens/rotate': { days: 1 },
    };
    const params: Record<string, string> = {
      project: 'web',
      space: 'shared',
      id: version.id,
      hash: version.hash,
      number: '1',
      member: 'nobody',
      session: 'evil-session',
    };
    const needed: Record<string, string> = { query: 'Vulture', id: 'decision/vulture-plan' };
    const document = openApiDocument('test') as unknown as { readonly paths: Record<string, Record<string, Documented>> };
    let asked = 0;
    const attempt = async (method: string, path: string, query: Record<string, string>, body: unknown, what: string): Promise<void> => {
      const search = new URLSearchParams(query).toString();
      const { status, json } = await team.ask(evil.token, method.toUpperCase(), `${path.slice(1)}${search === '' ? '' : `?${search}`}`, body);
      asked += 1;
      expect(status, `${what}: ${JSON.stringify(team.log.at(-1))}`).toBeLessThan(500);
      // What was sent may come back; what the other organisation has may not.
      for (const secret of [`${WORD} plan`, `${WORD} talk`, `${WORD} proposal`]) expect(JSON.stringify(json), what).not.toContain(secret);
    };
    for (const { method, path } of OPERATIONS) {
      const { parameters = [], requestBody } = document.paths[path]?.[method] ?? {};
      const body = bodies[`${method} ${path}`];
      const queries = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
      const base = Object.fromEntries(
        queries.filter((name) => name in needed && !(name === 'query' && path !== '/v1/search')).map((name) => [name, needed[name] ?? '']),
      );
      const filledIn = (name?: string, value?: unknown): string =>
        path.replaceAll(/\{(\w+)\}/g, (_, param: string) => encodeURIComponent(param === name ? String(value) : (params[param] ?? '')));
      for (const value of values) {
        for (const { name, in: place } of parameters) {
          const what = `${method} ${path} ${place} ${name} ${String(value)}`;
          if (place === 'path') await attempt(method, filledIn(name, value), base, body, what);
          else await attempt(method, filledIn(), { ...base, [name]: String(value) }, body, what);
        }
        for (const changed of replaced(body, value))
          if (body !== undefined) await attempt(method, filledIn(), base, changed.body, `${method} ${path} body ${changed.at} ${String(value)}`);
      }
      const places = Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => placesIn(schema));
      const covered = body === undefined ? [] : [...replaced(body, 0)].map(({ at }) => at);
      expect(new Set(covered), `the fields of ${method} ${path}`).toEqual(new Set(places));
    }
    expect(asked).toBeGreaterThan(1_000);
    expect(await everythingOf(team, acme.org)).toBe(before);
    expect((await team.ask(acme.token, 'GET', 'v1/me')).status).toBe(200);
  },
  300_000,
);
