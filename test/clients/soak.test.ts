import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Asked } from './model/server.ts';
import { SUMMARY_MARK, type Scene } from './model/script.ts';
import { clients } from './sandbox/clients.ts';
import { converse } from './sandbox/conversation.ts';
import { savesInline } from './sandbox/drafts.ts';
import { filesIn, holdfast } from './sandbox/plugin.ts';
import { parentOf, residentBytes, type Started } from './sandbox/processes.ts';
import { sandbox, type Sandbox } from './sandbox/sandbox.ts';

/** A whole day with --soak; a morning without. */
const DAY = process.env['HOLDFAST_SOAK'] === '1' ? { sessions: 20, prompts: 10 } : { sessions: 3, prompts: 8 };
const GROWTH = 150 * 1024 * 1024;
/** `inject.sessionTokens`: what all blocks of one session may weigh together. */
const SESSION_TOKENS = 12_000;

const PARTS = ['checkout', 'invoice', 'till', 'stock', 'refund', 'loyalty', 'shipping', 'label', 'audit', 'report', 'tax', 'coupon'];
const partOf = (number: number): string => `${PARTS[number % PARTS.length]}-${Math.floor(number / PARTS.length)}`;

const BASH = { tool: 'Bash', input: { command: 'echo counted', description: 'count' } };
const ROUNDS = Array.from({ length: 4 }, () => ({ text: 'counting', calls: [BASH] }));
const TOO_LONG = { status: 400, refusal: 'prompt is too long: 1010000 tokens > 1000000 maximum' };

const reportOn = (part: string): string =>
  `The ${part} module keeps its rows in ${part}.db and is read by the nightly job only. Its tests cover the happy path; what happens when ${part}.db is locked is not tested.`;

const scenes: readonly Scene[] = [
  savesInline((words) => [
    {
      category: 'decision',
      text: `SQLite for the ${[...words.matchAll(/for the ([\w-]+) queue/g)].at(-1)?.[1] ?? 'unknown'} queue`,
      why: 'Redis would need a server on every till',
    },
  ]),
  { when: SUMMARY_MARK, steps: [...ROUNDS, ...ROUNDS, { text: 'all counted' }] },
  { when: /^Look at the ([\w-]+) module/, steps: (words) => [{ text: reportOn(/Look at the ([\w-]+) module/.exec(words)?.[1] ?? '') }] },
  {
    when: 'Have somebody look at',
    steps: (words) => {
      const part = /look at ([\w-]+)/.exec(words)?.[1] ?? '';
      const input = {
        subagent_type: 'general-purpose',
        description: 'look',
        run_in_background: false,
        prompt: `Look at the ${part} module and tell what you see.`,
      };
      return [{ calls: [{ tool: 'Agent', input }] }, { text: `The ${part} module was looked at.` }];
    },
  },
  { when: 'Count everything', steps: [...ROUNDS, TOO_LONG] },
  {
    when: 'Where does the queue of',
    steps: (words) => {
      const part = /queue of ([\w-]+)/.exec(words)?.[1] ?? '';
      return [{ text: `We decided to use SQLite for the ${part} queue, because Redis would need a server on every till.` }];
    },
  },
];

/** A user's day: mostly small requests, now and then a decision, a subagent, or a long piece of work. */
const promptAt = (number: number): string => {
  if (number % 20 === 13) return 'Count everything in this project.';
  if (number % 6 === 3) return `Have somebody look at ${partOf(number)} please.`;
  if (number % 5 === 1) return `Where does the queue of ${partOf(number)} live?`;
  return `Rename variable number ${number} in ${partOf(number)}.`;
};

const injectedTokens = (asked: readonly Asked[]): number => {
  const blocks = new Set(asked.flatMap(({ text }) => text.match(/<holdfast-memory[\s\S]*?<\/holdfast-memory>/g) ?? []));
  return Math.ceil([...blocks].join('').length / 4);
};

/** A process that a server has just forked bears the server's name until it becomes another program: its parent tells it from a server. */
function serversOf(box: Sandbox): readonly Started[] {
  const named = box.living().filter(({ command }) => command.includes('mcp.js'));
  const pids = new Set(named.map(({ pid }) => pid));
  return named.filter(({ pid }) => !pids.has(parentOf(pid)) && residentBytes(pid) > 0);
}

test.each(clients)(
  'a day with Claude Code $version: nothing left running, nothing kept twice, memory and tokens within bounds',
  { timeout: 1_800_000 },
  async (client) => {
    const box = await sandbox(client);
    holdfast(box, 'start');
    // The client is driven as an editor drives it, which is headless to it.
    holdfast(box, 'config', 'set', 'capture.flow', 'inline');
    box.model.play(scenes);
    const days: { readonly tokens: number; readonly growth: number; readonly asked: number }[] = [];
    const typed: string[] = [];
    for (let session = 0; session < DAY.sessions; session++) {
      box.model.forget();
      const talk = converse(client, box, '--allowedTools', 'Bash');
      const weights: number[] = [];
      for (let at = 0; at < DAY.prompts; at++) {
        const words = promptAt(session * DAY.prompts + at);
        typed.push(words);
        await talk.say(words);
        weights.push(...serversOf(box).map(({ pid }) => residentBytes(pid)));
      }
      await talk.close();
      days.push({ tokens: injectedTokens(box.model.talk()), growth: Math.max(...weights) - (weights[0] ?? 0), asked: box.model.asked.length });
      expect(weights, 'one server a session').toHaveLength(DAY.prompts);
    }
    for (let tries = 0; box.living().length > 0 && tries < 200; tries++) await sleep(100);
    expect(box.living()).toEqual([]);

    const decisions = typed.filter((words) => words.startsWith('Where does'));
    const looks = typed.filter((words) => words.startsWith('Have somebody'));
    const compactions = typed.filter((words) => words.startsWith('Count everything'));
    console.log(
      `Claude Code ${client.version}: ${DAY.sessions} sessions, ${typed.length} prompts, ${decisions.length} decisions, ${looks.length} subagents, ${compactions.length} compactions\n` +
        `injected tokens a session: ${days.map(({ tokens }) => tokens).join(' ')}\n` +
        `growth of the server in MB: ${days.map(({ growth }) => Math.round(growth / 1024 / 1024)).join(' ')}`,
    );
    expect(filesIn(box, 'decisions')).toHaveLength(decisions.length);
    expect(filesIn(box, 'subagent')).toHaveLength(looks.length);
    for (const { tokens, growth } of days) {
      expect(tokens).toBeLessThan(SESSION_TOKENS);
      expect(growth).toBeLessThan(GROWTH);
    }
  },
);
