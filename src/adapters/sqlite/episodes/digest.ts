import { GIT } from '../../../core/episode/episode.ts';
import type { ConversationDigest } from '../../../core/ports/episodes.ts';
import type { Database } from '../binding.ts';

/** A question and its answer are no state of the work. */
const LEAST_MESSAGES = 6;
/** Enough for the last answers that say more than that something was committed. */
const ANSWER_CHUNKS = 40;
const MOST_RULES = 2_000;

export const NO_CONVERSATIONS: ConversationDigest = { sessions: [], answers: [], rules: [] };

const NEWEST = `SELECT unit, id, coalesce(title, '') AS title, coalesce(branch, '') AS branch, ended AS endedAt FROM units
  WHERE prompts > 0 AND messages >= ${LEAST_MESSAGES} AND ended IS NOT NULL ORDER BY ended DESC, unit DESC LIMIT ?`;

/** The last things an agent said in a session: chunks of replies, the last ones first. */
const LAST_ANSWERS = `SELECT c.text, c.message FROM chunks c JOIN messages m ON m.number = c.message
  WHERE c.id BETWEEN (SELECT max(first) FROM exchanges WHERE unit = ?1) AND (SELECT max(last) FROM messages WHERE unit = ?1)
  AND m.unit = ?1 AND m.role = 'assistant' AND c.id % 8 = 1 AND c.id < coalesce(m.thought, 9e15) ORDER BY c.id DESC LIMIT ${ANSWER_CHUNKS}`;

const RULES = `SELECT r.text, r.weight, r.unit, coalesce(m.at, 0) AS at
  FROM (SELECT * FROM rules ORDER BY message DESC LIMIT ${MOST_RULES}) r JOIN messages m ON m.number = r.message`;

const BY_AGE = `SELECT unit FROM units WHERE client <> '${GIT}' AND prompts > 0 ORDER BY ended DESC, unit DESC`;

/** What the newest conversations of a project come to: the sessions, the last answers in some of them, and what the user asked for. */
export function readDigest(database: Database, limit: number, answered: number): ConversationDigest {
  const sessions = database.prepare(NEWEST).all(limit) as readonly object[] as readonly (ConversationDigest['sessions'][number] & { readonly unit: number })[];
  const lastAnswer = database.prepare(LAST_ANSWERS);
  return {
    sessions,
    answers: sessions.slice(0, answered).flatMap(({ unit, id, endedAt }) => {
      const texts = new Map<unknown, string>();
      for (const { message, text } of lastAnswer.all(unit)) texts.set(message, `${text as string}\n${texts.get(message) ?? ''}`);
      return texts.size === 0 ? [] : [{ session: id, endedAt, texts: [...texts.values()] }];
    }),
    rules: rulesIn(database),
  };
}

function rulesIn(database: Database): ConversationDigest['rules'] {
  const newer = new Map(
    database
      .prepare(BY_AGE)
      .all()
      .map((row, nth) => [row['unit'], nth]),
  );
  return database
    .prepare(RULES)
    .all()
    .map(({ text, weight, unit, at }) => ({ text: text as string, weight: weight as number, at: at as number, newer: newer.get(unit) ?? 0 }));
}
