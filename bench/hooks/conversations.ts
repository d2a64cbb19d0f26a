import fs from 'node:fs';
import path from 'node:path';
import { rng } from '../measure.ts';
import { questions } from '../search/questions.ts';
import { type MadeMessage, sessionOf, SESSION } from '../search/corpus.ts';
import type { Place } from './server.ts';

const NAME = 'talk';
/** One session in so many states a rule in a prompt, and one in so many has a commit that fails. */
const STATES_RULE = 2;
const FAILS = 20;
const HOUR = 3_600_000;

const RULES: readonly ((word: string) => string)[] = [
  (word) => `Always run the ${word} tests before you push.`,
  (word) => `Never commit the ${word} files, they are generated.`,
  (word) => `From now on write the changelog entry for ${word} in the same commit.`,
  (word) => `Don't merge the ${word} branch without a review.`,
  (word) => `Reply to each review comment about ${word} in its thread.`,
];

/** Prompts about made-up sessions: some words of a message, or a question with them. */
export function promptsAbout(messages: number): () => string {
  const prompts = questions([{ name: NAME, messages }], 200).filter(({ kind }) => kind === 'words' || kind === 'question');
  let nth = 0;
  return () => prompts[nth++ % prompts.length]?.text ?? '';
}

/** Sessions of made-up messages as Claude Code writes them, with rules of the user and commands that failed. */
export function layConversations({ home, project }: Place, messages: number, bringIn: (transcripts: string) => void): void {
  const folder = path.join(home, 'projects', project.replace(/[^A-Za-z0-9]/g, '-'));
  fs.mkdirSync(folder, { recursive: true });
  const sessions = Math.ceil(messages / SESSION);
  for (let nth = 0; nth < sessions; nth++)
    fs.writeFileSync(path.join(folder, `${NAME}-${nth}.jsonl`), `${linesOf(nth, project, Date.now() - (sessions - nth) * HOUR).join('\n')}\n`);
  bringIn(folder);
}

function linesOf(nth: number, cwd: string, started: number): readonly string[] {
  const { id, messages } = sessionOf(NAME, nth);
  const random = rng(nth + 1);
  const entries: object[] = messages.map(({ role, text }) => ({ type: role, message: { role, content: role === 'user' ? text : [{ type: 'text', text }] } }));
  if (nth % STATES_RULE === 0) {
    const word = (messages[0] as MadeMessage).telling[0] ?? '';
    entries[5] = { type: 'user', message: { role: 'user', content: (RULES[Math.floor(random() * RULES.length)] as (about: string) => string)(word) } };
  }
  if (nth % FAILS === 0) entries.splice(10, 3, ...failedCommit(`t${nth}`, (messages[1] as MadeMessage).telling[0] ?? ''));
  return entries.map((entry, at) =>
    JSON.stringify({
      parentUuid: null,
      isSidechain: false,
      userType: 'external',
      cwd,
      sessionId: id,
      version: '2.1.197',
      uuid: `${id}-${at}`,
      timestamp: new Date(started + at * 30_000).toISOString(),
      ...entry,
    }),
  );
}

const failedCommit = (id: string, word: string) => [
  { type: 'assistant', message: { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Bash', input: { command: 'git commit -m "Add a page"' } }] } },
  { type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'error: script "test" exited with code 1' }] } },
  {
    type: 'assistant',
    message: {
      role: 'assistant',
      content: [{ type: 'text', text: `The pre-commit hook runs the ${word} tests, which fail because ${word} is not installed.` }],
    },
  },
];
