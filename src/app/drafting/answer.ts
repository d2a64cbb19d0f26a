import { isObject } from '../../core/value.ts';
import type { Action } from '../../core/lifecycle/cud.ts';
import type { Draft } from '../../core/record/draft.ts';
import { ok, refuse, type Result } from '../../core/result.ts';

/** A drafter's answer. */
export interface Drafted {
  /** Absent when it handed in a bare record. */
  readonly wish?: Action;
  readonly record?: Draft;
  readonly target?: string;
  readonly reason?: string;
  readonly justification: string;
}

export interface DraftVerdict {
  readonly passed: boolean;
  /** Why it failed, or small flaws. */
  readonly issues: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

const ACTIONS: Readonly<Record<string, Action>> = { create: 'CREATE', update: 'UPDATE', delete: 'DELETE', retire: 'DELETE', noop: 'NOOP', none: 'NOOP' };
const ENVELOPE = new Set(['action', 'target', 'reason', 'justification', 'record', 'draft']);
const LONGEST_LINE = 300;

const line = (value: unknown): string => (typeof value === 'string' ? value.replace(/\s+/g, ' ').trim().slice(0, LONGEST_LINE) : '');

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The JSON object in a model's answer: alone, in a code fence, or with words around it. */
export function jsonIn(answer: string): Json | undefined {
  const text = answer.replace(/^\uFEFF/, '').trim();
  const fenced = [...text.matchAll(/```[a-z]*[ \t]*\n([\s\S]*?)```/gi)].map(([, inner = '']) => inner);
  const braces = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  return [text, ...fenced, braces].map(parse).find(isObject);
}

/** Reads a draft: an envelope with the record in it, or the record itself with the envelope's fields beside its own. */
export function readDrafted(answer: string): Result<Drafted> {
  const value = jsonIn(answer);
  if (!value) return refuse('INPUT_ERROR', 'the draft is not a JSON object', { hint: 'one JSON object, with or without a code fence' });
  const word = value['action'];
  const wish = typeof word === 'string' ? ACTIONS[word.toLowerCase()] : undefined;
  if (word !== undefined && wish === undefined) {
    return refuse('INPUT_ERROR', `the draft's action is ${JSON.stringify(word).slice(0, 40)}`, { hint: 'create, update, delete or noop' });
  }
  const inner = value['record'] ?? value['draft'];
  const bare = Object.fromEntries(Object.entries(value).filter(([key]) => !ENVELOPE.has(key)));
  const record = isObject(inner) ? inner : Object.keys(bare).length > 0 ? bare : undefined;
  if (record === undefined && (wish === undefined || wish === 'CREATE' || wish === 'UPDATE')) {
    return refuse('INPUT_ERROR', 'the draft has no record', { hint: 'put it under "record"' });
  }
  return ok({
    ...(wish !== undefined && { wish }),
    ...(record !== undefined && { record }),
    ...(typeof value['target'] === 'string' && { target: value['target'] }),
    ...(line(value['reason']) !== '' && { reason: line(value['reason']) }),
    justification: line(value['justification']) || line(value['reason']),
  });
}

const severityOf = (issue: unknown): string => (isObject(issue) ? line(issue['severity'] ?? issue['level']).toUpperCase() : '');
const wordsOf = (issue: unknown): string => (isObject(issue) ? line(issue['text'] ?? issue['message'] ?? issue['issue']) : line(issue));

/** Parses a verdict. An unreadable verdict fails; a failure with more than small flaws blocks. */
export function readVerdict(answer: string): Result<DraftVerdict> {
  const value = jsonIn(answer);
  const result = line(value?.['result'] ?? value?.['verdict']).toUpperCase();
  if (!value || !['PASS', 'FAIL', 'BLOCK', 'ADVISORY'].includes(result)) {
    return refuse('INPUT_ERROR', 'the verdict cannot be read', { hint: 'a JSON object with "result" and "issues"' });
  }
  const issues = Array.isArray(value['issues']) ? (value['issues'] as readonly unknown[]) : [];
  const blocks = issues.filter((issue) => severityOf(issue) === 'BLOCK');
  const minor = issues.length > 0 && issues.every((issue) => severityOf(issue) === 'ADVISORY');
  const passed = blocks.length === 0 && (result === 'PASS' || result === 'ADVISORY' || (result === 'FAIL' && minor));
  const told = (blocks.length > 0 ? blocks : issues).map(wordsOf).filter(Boolean);
  return ok({ passed, issues: told.length > 0 || passed ? told : ['the verifier gave no reason'] });
}
