import { GIT } from '../../../core/episode/episode.ts';
import type { ConversationDigest } from '../../../core/ports/episodes.ts';
import type { Database } from '../binding.ts';

/** Shorter sessions, such as one question with its answer, say nothing about the state of the work. */
const LEAST_MESSAGES = 6;
/** Enough to reach an answer that says more than that something was committed. */
const ANSWER_CHUNKS = 40;
const MOST_RULES = 2_000;

export const NO_CONVERSATIONS: ConversationDigest = { sessions: [], answers: [], rules: [] };

const NEWEST = `SELECT unit, id, coalesce(title, '') AS title, coalesce(branch, '') AS branch, ended AS endedAt FROM units
  WHERE prompts > 0 AND messages >= ${LEAST_MESSAGES} AND ended IS NOT NULL ORDER BY ended DESC, unit DESC LIMIT ?`;

/** The last exchanges of a session, which hold its report. */
const LAST_EXCHANGES = 3;
/** The last things an agent said in a session: chunks of replies, the last ones first. */
const LAST_ANSWERS = `SELECT c.text, c.message FROM chunks c JOIN messages m ON m.number = c.message
  WHERE c.id BETWEEN (SELECT min(first) FROM (SELECT first FROM exchanges WHERE unit = ?1 ORDER BY first DESC LIMIT ${LAST_EXCHANGES})) AND (SELECT max(last) FROM messages WHERE unit = ?1)
  AND m.unit = ?1 AND m.role = 'assistant' AND c.id % 8 = 1 AND c.id < coalesce(m.thought, 9e15) ORDER BY c.id DESC LIMIT ${ANSWER_CHUNKS}`;

/** The rules, each with the number of newer sessions. One text, because reading rows one by one would take most of a start's time. */
const RULES = `WITH ages AS MATERIALIZED (SELECT unit, started, row_number() OVER (ORDER BY ended DESC, unit DESC) - 1 AS newer FROM units WHERE client <> '${GIT}' AND prompts > 0)
  SELECT json_group_array(json_array(r.text, r.weight, coalesce(m.at, 0), coalesce(a.newer, 0), a.started)) AS found
  FROM (SELECT * FROM rules ORDER BY message DESC LIMIT ${MOST_RULES}) r JOIN messages m ON m.number = r.message LEFT JOIN ages a ON a.unit = r.unit`;

/** A digest of a project's newest conversations: the sessions, the last answers of some, and the rules that the user stated. */
export function readDigest(database: Database, limit: number, sessionsWithAnswers: number): ConversationDigest {
  const sessions = database.prepare(NEWEST).all(limit) as readonly object[] as readonly (ConversationDigest['sessions'][number] & { readonly unit: number })[];
  const lastAnswer = database.prepare(LAST_ANSWERS);
  return {
    sessions,
    answers: sessions.slice(0, sessionsWithAnswers).flatMap(({ unit, id, endedAt }) => {
      const texts = new Map<unknown, string>();
      for (const { message, text } of lastAnswer.all(unit)) texts.set(message, `${text as string}\n${texts.get(message) ?? ''}`);
      return texts.size === 0 ? [] : [{ session: id, endedAt, texts: [...texts.values()] }];
    }),
    rules: rulesIn(database),
  };
}

export function rulesIn(database: Database): ConversationDigest['rules'] {
  const rows = JSON.parse((database.prepare(RULES).get()?.['found'] ?? '[]') as string) as readonly (readonly [
    string,
    number,
    number,
    number,
    number | null,
  ])[];
  return rows.map(([text, weight, at, newer, began]) => ({ text, weight, at, newer, ...(began !== null && { began }) }));
}
