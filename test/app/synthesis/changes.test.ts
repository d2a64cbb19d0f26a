import { describe, expect, it } from 'vitest';
import type { CheckoutState } from '../../../src/app/synthesis/gather.ts';
import { synthesize } from '../../../src/app/synthesis/synthesize.ts';
import { spent } from '../../processor.ts';
import { must, openMemory, save } from '../memory.ts';
import { commit, EMPTY, under } from './checkout.ts';

const made = async (commits: CheckoutState['commits'], state: Partial<CheckoutState> = {}): Promise<string> => {
  const { memory } = openMemory();
  return must(await synthesize(memory, { state: { ...EMPTY, commits, ...state }, full: true, actor: 'command' })).text;
};

describe('a change of the last sessions', () => {
  it('is named once: beside its reason, where it has one', async () => {
    const { memory } = openMemory();
    const keep = (session: string, ...completed: string[]) =>
      save(memory, 'session_summary', {
        title: session,
        content: { goal: 'Keep the gauges dry', outcome: 'success', completed, next_actions: [] },
        origin: { channel: 'agent', session_id: session },
      });
    must(await keep('s1', 'Committed 6666666: fix(gauge): drop readings of zero', 'Committed 5555555: feat(radio): name the harbour first'));
    must(await keep('s2', 'Committed 7777777: feat(radio): send warnings twice'));
    const commits = [
      commit(7, 'feat(radio): send warnings twice', 'A single message is lost in one storm of ten, because the mast sways.'),
      commit(6, 'fix(gauge): drop readings of zero', 'The float froze and reported zero, which silently cleared every warning.'),
      commit(5, 'feat(radio): name the harbour first'),
    ];
    const { text } = must(await synthesize(memory, { actor: 'command', full: true, state: { ...EMPTY, commits } }));
    expect(under(text, 'Current Status')).toContain('committed one change, told under Key Decisions (commit 7777777)');
    expect(under(text, 'Current Status')).toContain('committed “Name the harbour first” *(');
    for (const told of ['Send warnings twice', 'Drop readings of zero', 'Name the harbour first']) expect(text.split(told), told).toHaveLength(2);
  });
});

describe('one change in several commits', () => {
  it('is told once, and not in the names of its code', async () => {
    const text = await made([
      commit(8, 'Paint the mast in red'),
      commit(7, 'Oil the winch twice a year'),
      commit(5, 'Update GAUGE_SCHEMAS for gaugeKeyEncrypted and random gauge keys'),
      commit(4, 'Wire random gauge keys through useGauge hook'),
      commit(
        3,
        'feat: switch gauge key creation to random, accept key in updates',
        'createGauge() now draws a random gauge key instead of a serial, and returns gaugeKeyEncrypted.',
      ),
      commit(2, 'feat(radio): switch gauge keys from serials to random', 'create() draws a random gauge key via OsRng instead of a serial.'),
      commit(1, 'fix: only accept old serials without a gauge key', 'When a random gauge key is there but cannot be read, a serial would name another gauge.'),
    ]);
    expect(under(text, 'Evolution & Changes')).toContain('gauge keys: serials → settled on random');
    expect(text.split('\n').filter((line) => /^- .*random/.test(line))).toHaveLength(2);
    expect(text).not.toMatch(/GAUGE_SCHEMAS|createGauge|OsRng|useGauge/);
  });

  it('is told as it came out: by the last commit that gives a reason', async () => {
    const text = await made([
      commit(9, 'feat: dim single-colour lamps with fade and glow', 'A plain lamp needs two colours again, because fade and glow now do what one colour did.'),
      commit(8, 'feat: dim single-colour lamps', 'A lamp with one colour fades by itself, so that nobody has to name a second one.'),
      commit(7, 'Wire single-colour lamps into dim'),
    ]);
    expect(text.match(/dim single-colour lamps|Dim single-colour lamps/g)).toHaveLength(1);
    expect(under(text, 'Key Decisions')).toContain('because fade and glow now do what one colour did');
  });

  it('gives what was wrong as the reason of a fix, not what was done, and nothing about comments or tests', async () => {
    const why = async (subject: string, body: string): Promise<string> =>
      under(await made([commit(2, subject, body), commit(1, 'Wind the clock by hand')]), 'Learnings & Discoveries');
    const fix = 'fix: keep the lamp lit';
    expect(await why(fix, 'Wind the spring twice so the lamp stays lit.\n\nThe spring ran out at midnight and the lamp went dark.')).toContain(
      '– The spring ran out at midnight',
    );
    expect(await why(fix, 'The test now waits until the lamp is lit, because it was flaky.\n\nThe doc comment says why.')).toContain('Nothing yet');
    expect(await why(fix, '- Changed the spring of the lamp in the tower\n- Winding guidance: Added a line for the night')).toContain('Nothing yet');
  });

  it('may use names that the project introduces itself with', async () => {
    const fix = commit(2, 'fix: keep the mast awake', 'The mast fell asleep because RadioMast and GaugeBox both waited for the other to speak.');
    expect(await made([fix])).not.toContain('RadioMast');
    expect(
      await made([fix], { introductions: [{ file: 'README.md', text: '# Tidewatch\n\nTidewatch joins a RadioMast with every GaugeBox of a harbour.\n' }] }),
    ).toContain('RadioMast and GaugeBox both waited');
    expect(
      await made([fix], { introductions: [{ file: 'README.md', text: '# Tidewatch\n\nTidewatch joins a radio mast with every --gauge-box of a harbour.\n' }] }),
    ).toContain('RadioMast and GaugeBox both waited');
  });

  it('is cited by its session where its id was not seen', async () => {
    const text = await made([
      {
        ...commit(2, 'fix: keep the mast awake', 'The mast fell asleep because nobody spoke for an hour.'),
        id: '',
        session: '1e0a84da-d36b-4000-8000-000000000000',
      },
    ]);
    expect(text).toContain('(2026-02-02, commit in session 1e0a84da-d36b)');
  });
});

describe('changes of the project', () => {
  it('are told though the README says the same of the project, with new abilities first and without tests and papers', async () => {
    const introductions = [{ file: 'README.md', text: '# Tidewatch\n\nTidewatch reads the gauge once a minute.\n' }];
    const text = await made(
      [
        commit(12, 'Rename the harbour master to keeper'),
        commit(11, 'Ring the bell at noon'),
        commit(10, 'Sort the flags by colour'),
        commit(9, 'Tie the boats with rope'),
        commit(7, 'Cover the radio with unit tests'),
        commit(6, 'docs: describe how gauges freeze'),
        commit(5, 'Paint the mast in red'),
        commit(4, 'Oil the winch twice a year'),
        commit(3, 'Add a second radio for storms'),
        commit(2, 'Read the gauge once a minute'),
      ],
      { introductions },
    );
    const changes = under(text, 'Evolution & Changes');
    expect(changes).toMatch(/^\n- Changes \(2026-02-02 to 2026-02-10, 6 changes\): /);
    expect(changes).toContain('Add a second radio for storms');
    expect(changes).toContain('; and 2 more');
    expect(changes).not.toMatch(/unit tests|describe how/i);
  });

  it('name their themes as the project writes them: Web3Auth, and Lamps where there are several', async () => {
    const files = ['src/web3auth/key.ts', 'src/web3auth/token.ts', 'src/lamp/red.ts', 'src/lamp/green.ts'];
    const text = await made(
      [
        commit(8, 'Use Web3Auth keys', 'Passwords were lost in storms, because nobody wrote them down.'),
        commit(7, 'Use Web3Auth tokens', 'Visitors must leave by evening, so a pass has to end by itself.'),
        commit(6, 'Use a red lamp', 'White is not seen in fog because the fog is white.'),
        commit(5, 'Use two green lamps', 'Ships mistook one light for a house, because houses have one.'),
        commit(4, 'Use ropes across the pier', 'The wind took the planks away because nothing held them.'),
        commit(3, 'Use chains across the quay', 'Thieves cut whatever is soft, so iron it must be.'),
      ],
      { files },
    );
    expect([...text.matchAll(/^### (.*)$/gm)].map(([, name]) => name)).toEqual(expect.arrayContaining(['Web3Auth', 'Lamps', 'General']));
    expect(text).not.toContain('### Across');
  });
});

it('takes no time for a subject that is one long word', async () => {
  const before = spent();
  expect(await made([commit(2, 'a'.repeat(8_000)), commit(1, 'Paint the mast in red')])).not.toContain('aaa');
  expect(spent() - before).toBeLessThan(5_000);
});
