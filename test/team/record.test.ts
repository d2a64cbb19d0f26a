import { describe, expect, test } from 'vitest';
import { sha256 } from '../../src/adapters/process/environment.ts';
import { plainCodec } from '../../src/app/sync/plain-codec.ts';
import { hasPostgres } from '../postgres/cluster.ts';
import { offeredRecord } from './records.ts';
import { serveForTest, type ServedTeam } from './served.ts';

const codec = plainCodec(sha256);
const NAME = 'decision/heron';
const RECORD = `v1/projects/web/record?id=${NAME}`;
const VERSIONS = `v1/projects/web/record/versions?id=${NAME}`;

interface Version {
  readonly hash: string;
  readonly kind: string;
  readonly author: string;
  readonly has_text: boolean;
}

/** An organisation with one record. */
async function withRecord() {
  const team = await serveForTest();
  const acme = await team.organisation('acme');
  const [ada, rea] = [await team.member(acme, 'ada', 'writer'), await team.member(acme, 'rea', 'reader')];
  const first = offeredRecord('Use SQLite for the heron', 'decisions/heron.md');
  await team.ask(ada, 'POST', 'v1/projects/web/shared/versions', { versions: [first] });
  const { json } = await team.ask(ada, 'GET', RECORD);
  return { team, acme, ada, rea, first, text: String(json['text']), hash: String(json['hash']) };
}

const edit = (team: ServedTeam, token: string, text: string, hash: string, more: object = {}) =>
  team.ask(token, 'POST', 'v1/projects/web/record', { id: NAME, text, hash, ...more });
const versions = async (team: ServedTeam, token: string): Promise<readonly Version[]> =>
  (await team.ask(token, 'GET', VERSIONS)).json['versions'] as readonly Version[];

describe.skipIf(!hasPostgres)('a team’s record', () => {
  test('is changed on top of the version that was read, and by no one else’s hash', async () => {
    const { team, ada, rea, text, hash } = await withRecord();
    team.clock.ms += 86_400_000;
    const changed = text.replace('# Use SQLite', '# Use PostgreSQL');
    expect((await edit(team, rea, changed, hash)).status).toBe(403);
    expect((await edit(team, ada, text, hash)).json).toMatchObject({ message: 'Nothing was changed.' });
    expect((await edit(team, ada, `${changed}\nghp_${'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'}`, hash)).json).toMatchObject({
      message: expect.stringContaining('it holds a secret') as string,
    });
    expect((await edit(team, ada, `${changed}\n<<<<<<< a\nb\n=======\nc\n>>>>>>> d\n`, hash)).status).toBe(400);
    expect((await edit(team, ada, changed, hash)).json).toEqual({ state: 'accepted' });
    expect((await edit(team, ada, text.replace('# Use SQLite', '# Use files'), hash)).status).toBe(409);
    const { json } = await team.ask(ada, 'GET', RECORD);
    expect(json).toMatchObject({ title: 'Use PostgreSQL for the heron' });
    expect(json['text']).toContain(`updated_at: ${new Date(team.clock.ms).toISOString().slice(0, 19)}Z`);
  });

  test('is proposed where the project wants review, or its author does', async () => {
    const { team, acme, ada, text, hash } = await withRecord();
    const rev = await team.member(acme, 'rev', 'reviewer');
    const asked = (word: string) => text.replace('# Use SQLite', `# Use ${word}`);
    expect((await edit(team, rev, asked('DuckDB'), hash, { propose: true })).json).toEqual({ state: 'proposed', proposal: '1' });
    await team.store.inOrganisation(acme, async (transaction) => transaction.setReview((await transaction.project('web'))?.project ?? 0, true));
    expect((await edit(team, ada, asked('files'), hash)).json).toEqual({ state: 'proposed', proposal: '2' });
    expect((await team.ask(ada, 'GET', RECORD)).json).toMatchObject({ hash });
    expect((await edit(team, rev, asked('PostgreSQL'), hash)).json).toEqual({ state: 'accepted' });
  });

  test('has its versions with their authors; forgotten ones have no text, and other organisations none at all', async () => {
    const { team, acme, ada, rea, first, text, hash } = await withRecord();
    const bo = await team.member(acme, 'bo', 'writer');
    await edit(team, bo, text.replace('# Use SQLite', '# Use PostgreSQL'), hash);
    expect((await versions(team, rea)).map(({ author, kind, has_text }) => [author, kind, has_text])).toEqual([
      ['bo', 'text', true],
      ['ada', 'text', true],
    ]);
    const [newest] = await versions(team, rea);
    const eve = await team.member(await team.organisation('other'), 'eve', 'admin');
    expect((await team.ask(eve, 'GET', VERSIONS)).status).toBe(404);
    expect((await edit(team, eve, text, hash)).status).toBe(404);
    const gone = { id: first.id, kind: 'forgotten', base: newest?.hash ?? '', ancestors: [], hash: codec.removalOf(first.id, 'forgotten', newest?.hash ?? '') };
    await team.ask(ada, 'POST', 'v1/projects/web/shared/versions', { versions: [gone] });
    expect((await team.ask(rea, 'GET', VERSIONS)).status).toBe(404);
    const log = await team.store.inOrganisation(acme, async (transaction) => (await transaction.log(1, 'shared', 'reading')).history(first.id, 10));
    expect(log.map(({ kind, hasText }) => [kind, hasText])).toEqual([
      ['forgotten', false],
      ['text', false],
      ['text', false],
    ]);
  });
});
