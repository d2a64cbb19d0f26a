import { episodeRows } from '../../../src/recall/chunks/message-rows.ts';
import { kindNumberOf, KIND_NUMBER, unitOf } from '../../../src/recall/chunks/split-text.ts';
import type { ExchangeIndex, OutlineSession, Turn } from '../../../src/recall/exchange/port.ts';

/** A session as its turns: what the user said begins with `> `. Each prompt opens an exchange. */
export type Talk = readonly string[];

/** An index of exchanges in memory; the last session is the newest. */
export function exchangeIndex(talks: readonly Talk[]): ExchangeIndex {
  const postings = new Map<string, number[]>();
  const [firsts, terms]: [number[], number[]] = [[], []];
  const chunks: { readonly id: number; readonly text: string; readonly messageId: string; readonly byUser: boolean }[] = [];
  const sessions = new Map<number, OutlineSession>();
  for (const [nth, talk] of talks.entries()) {
    const sessionId = `s${nth}`;
    sessions.set(nth + 1, { id: sessionId, endedAt: Date.UTC(2026, 0, nth + 1), newer: talks.length - 1 - nth });
    const messages = talk.map((said, at) => {
      const byUser = said.startsWith('> ');
      return { id: `${sessionId}.${at}`, sessionId, role: byUser ? ('user' as const) : ('assistant' as const), text: byUser ? said.slice(2) : said };
    });
    const opened = new Set<string>();
    for (const { id, text, terms: held, messageId = '' } of episodeRows(nth + 1, messages).chunks) {
      const byUser = messages.some((message) => message.id === messageId && message.role === 'user');
      if ((byUser && !opened.has(messageId)) || opened.size === 0) {
        firsts.push(id);
        terms.push(0);
      }
      opened.add(messageId);
      terms[terms.length - 1] = (terms.at(-1) ?? 0) + held.length;
      chunks.push({ id, text, messageId, byUser });
      for (const term of new Set(held)) postings.set(term, [...(postings.get(term) ?? []), id]);
    }
  }
  return {
    postings: (asked, most) => asked.map((term) => ({ ids: (postings.get(term) ?? []).slice(-most), count: postings.get(term)?.length ?? 0 })),
    outline: () => ({ firsts, terms, sessions }),
    turns: (first, next) => {
      const turns: Turn[] = [];
      for (const { id, text, messageId, byUser } of chunks)
        if (id >= first && id < next && unitOf(id) === unitOf(first) && kindNumberOf(id) <= KIND_NUMBER.said) {
          const last = turns.at(-1);
          if (last?.messageId === messageId) turns[turns.length - 1] = { ...last, text: `${last.text}\n${text}` };
          else turns.push({ messageId, byUser, text });
        }
      return turns;
    },
  };
}
