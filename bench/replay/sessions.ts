import fs from 'node:fs';
import path from 'node:path';

/** A moment in a project's history at which something settled earlier was needed, or (kind `none`) a prompt that nothing earlier helps. */
export interface ReplayCase {
  readonly id: string;
  readonly project: string;
  readonly session_id: string;
  readonly prompt_index: number;
  readonly prompt_uuid?: string;
  readonly kind: string;
  /** Groups of words that mean the same; one of each must be there. */
  readonly must?: readonly (readonly string[])[];
}

export interface Prompt {
  readonly text: string;
  readonly uuid?: string;
  /** The tool calls that the agent made up to the next prompt. */
  readonly actions: { readonly tool: string; readonly input: unknown }[];
}

export interface ReplaySession {
  readonly id: string;
  readonly file: string;
  readonly began: string;
  readonly prompts: readonly Prompt[];
  /** Prompts and replies in their order. */
  readonly prose: readonly string[];
}

interface Block {
  readonly type?: string;
  readonly text?: string;
  readonly name?: string;
  readonly input?: unknown;
}

interface TranscriptRecord {
  readonly type?: string;
  readonly uuid?: string;
  readonly timestamp?: string;
  readonly isMeta?: boolean;
  readonly isSidechain?: boolean;
  readonly isCompactSummary?: boolean;
  readonly message?: { readonly content?: string | readonly Block[] };
}

const NOT_A_PROMPT = /^\s*<(command-|local-command|bash-|task-notification|system-reminder|ide_)|^\[Request interrupted|^Caveat: The messages below/;
const MOST_ACTIONS = 40;

export const jsonLines = <T>(file: string): readonly T[] =>
  fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return line === '' ? [] : [JSON.parse(line) as T];
      } catch {
        return [];
      }
    });

function read(file: string): ReplaySession {
  const prompts: Prompt[] = [];
  const prose: string[] = [];
  const records = jsonLines<TranscriptRecord>(file);
  for (const { type, uuid, message, isMeta, isSidechain, isCompactSummary } of records) {
    if (isMeta === true || isSidechain === true || isCompactSummary === true || (type !== 'user' && type !== 'assistant')) continue;
    const content = message?.content ?? [];
    const blocks: readonly Block[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    const text = blocks.flatMap((block) => (block.type === 'text' ? [block.text ?? ''] : [])).join('\n');
    const isPrompt = type === 'user' && text.trim() !== '' && !NOT_A_PROMPT.test(text);
    if (isPrompt) prompts.push({ text, actions: [], ...(uuid !== undefined && { uuid }) });
    if (isPrompt || (type === 'assistant' && text.trim() !== '')) prose.push(text);
    const actions = prompts.at(-1)?.actions;
    if (type !== 'assistant' || actions === undefined) continue;
    for (const block of blocks) {
      if (block.type === 'tool_use' && actions.length < MOST_ACTIONS) actions.push({ tool: block.name ?? '', input: block.input });
    }
  }
  return { id: path.basename(file, '.jsonl'), file, began: records.find(({ timestamp }) => timestamp)?.timestamp ?? '', prompts, prose };
}

/** The sessions of a project by the time they began; those of subagents are left out. */
export const sessionsIn = (folder: string): readonly ReplaySession[] =>
  fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl') && !path.basename(name).startsWith('agent-'))
    .map((name) => read(path.join(folder, name)))
    .toSorted((a, b) => (a.began < b.began ? -1 : 1));

/** A session to be lived, and by how much its times are moved. */
export interface LivedSession {
  readonly project: string;
  readonly session: ReplaySession;
  readonly shiftMs: number;
}

export const asTheyWere = (project: string, sessions: readonly ReplaySession[]): readonly LivedSession[] =>
  sessions.map((session) => ({ project, session, shiftMs: 0 }));

const BETWEEN_MS = 6 * 3_600_000;
const JOINED_FROM = Date.UTC(2026, 0, 1);

/** Several projects as one: each keeps the order of its sessions and is spread over the whole, a session every six hours. A stand-in for a large project. */
export const joinedSessions = (projects: readonly { readonly project: string; readonly sessions: readonly ReplaySession[] }[]): readonly LivedSession[] =>
  projects
    .flatMap(({ project, sessions }) => sessions.map((session, nth) => ({ project, session, place: (nth + 0.5) / sessions.length })))
    .toSorted((a, b) => a.place - b.place)
    .map(({ project, session }, nth) => ({ project, session, shiftMs: JOINED_FROM + nth * BETWEEN_MS - (Date.parse(session.began) || 0) }));

/** A session's transcript as one of the project in a folder, with its times moved. */
export const transcriptOf = ({ session, shiftMs }: LivedSession, folder: string): string =>
  fs
    .readFileSync(session.file, 'utf8')
    .replaceAll(/"cwd":"[^"]*"/g, `"cwd":${JSON.stringify(folder)}`)
    .replaceAll(/"timestamp":"([^"]+)"/g, (whole, time: string) => {
      const at = Date.parse(time);
      return shiftMs === 0 || Number.isNaN(at) ? whole : `"timestamp":"${new Date(at + shiftMs).toISOString()}"`;
    });

/** The share of the groups of which a text holds a word. */
export function shareOf(must: readonly (readonly string[])[], text: string): number {
  const held = text.toLowerCase();
  return must.length === 0 ? 0 : must.filter((group) => group.some((word) => held.includes(word.toLowerCase()))).length / must.length;
}
