import { utcSeconds } from '../instant.ts';
import { ok, refuse, type Result } from '../result.ts';

/** Tokens reserved for a running call. */
export interface TokenHold {
  readonly id: string;
  readonly tokens: number;
}

/** The tokens that model calls used on one day, in UTC. */
export interface LedgerDay {
  readonly day: string;
  readonly spent: number;
  /** Reservations of running calls. One whose process died counts until the end of the day, because the call may have been made. */
  readonly held: readonly TokenHold[];
}

export type TokenLedger = readonly LedgerDay[];

const MOST_DAYS = 31;

export const dayOf = (now: number): string => utcSeconds(now).slice(0, 10);

const dayIn = (ledger: TokenLedger, day: string): LedgerDay => ledger.find((entry) => entry.day === day) ?? { day, spent: 0, held: [] };

const putDay = (ledger: TokenLedger, entry: LedgerDay): TokenLedger => [...ledger.filter(({ day }) => day !== entry.day), entry].slice(-MOST_DAYS);

/** Tokens that count against a day's limit: spent and reserved. */
export function usedOn(ledger: TokenLedger, day: string): number {
  const { spent, held } = dayIn(ledger, day);
  return spent + held.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** The ledger with `tokens` reserved under `id`; refused if that exceeds the day's limit. */
export function reserve(ledger: TokenLedger, request: TokenHold & { readonly day: string; readonly limit: number }): Result<TokenLedger> {
  const { id, tokens, day, limit } = request;
  const used = usedOn(ledger, day);
  if (used + tokens > limit) {
    return refuse(
      'BUDGET_EXHAUSTED',
      limit === 0
        ? 'model calls are off: model.dailyTokens is 0'
        : `the daily token budget is used up: ${used} of ${limit} tokens are spent or set aside, and this call needs about ${tokens}`,
      { hint: 'it resets at midnight UTC; raise it with holdfast config set model.dailyTokens N' },
    );
  }
  const today = dayIn(ledger, day);
  return ok(putDay(ledger, { ...today, held: [...today.held, { id, tokens }] }));
}

/** The ledger with the reservation `id` replaced by the tokens spent, on the day of the reservation. */
export function settleHold(ledger: TokenLedger, id: string, tokens: number): TokenLedger {
  const entry = ledger.find(({ held }) => held.some((one) => one.id === id));
  if (!entry) return ledger;
  const next = { ...entry, spent: entry.spent + tokens, held: entry.held.filter((one) => one.id !== id) };
  return ledger.map((one) => (one === entry ? next : one));
}

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0;

function parseDay(line: string): LedgerDay | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  const { day, spent, held } = (value ?? {}) as { readonly day?: unknown; readonly spent?: unknown; readonly held?: unknown };
  if (typeof day !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(day) || !isCount(spent)) return undefined;
  const calls = Array.isArray(held) ? (held as readonly Partial<TokenHold>[]) : [];
  return { day, spent, held: calls.flatMap(({ id, tokens }) => (typeof id === 'string' && isCount(tokens) ? [{ id, tokens }] : [])) };
}

/** Reads a ledger with one day a line; invalid lines are left out. */
export const parseLedger = (text: string): TokenLedger =>
  text
    .split('\n')
    .flatMap((line) => parseDay(line) ?? [])
    .reduce<TokenLedger>(putDay, []);

export const serializeLedger = (ledger: TokenLedger): string => ledger.map((entry) => `${JSON.stringify(entry)}\n`).join('');

/** Claude's newest tokeniser takes 2.4 characters of English or code to a token, and two tokens to a Chinese character; others take fewer tokens. */
const PLAIN_PER_TOKEN = 2.4;
const TOKENS_PER_OTHER = 2;

/** Estimated tokens of a text, rather too many than too few, so that a budget is not exceeded. */
export function estimateTokens(text: string): number {
  let plain = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) < 0x80) plain++;
  return Math.ceil(plain / PLAIN_PER_TOKEN + (text.length - plain) * TOKENS_PER_OTHER);
}
