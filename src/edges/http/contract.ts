import type { ActionResult, EditConflict, UndoStep } from '../../app/page/acts.ts';
import type { Plots } from '../../app/page/plots.ts';
import type { ProjectPage, StaleRow } from '../../app/page/project-page.ts';
import type { ItemRow, RecordPage } from '../../app/page/record-page.ts';
import type { SessionCall, SessionEntry, SessionPage, SessionRow } from '../../app/page/session-page.ts';
import type { SourceLine } from '../../app/inbox/source.ts';
import type { LogLine } from '../../app/history/log.ts';
import type { Hit, HitPart } from '../../app/search/hit.ts';
import type { Injection, InjectedItem, Verdicts } from '../../core/ports/injection-log.ts';

/** The JSON between the server and the page. The page imports nothing else of `src/`. */
export type {
  ActionResult as ActResult,
  EditConflict,
  Hit,
  HitPart,
  InjectedItem,
  Injection,
  ItemRow,
  LogLine,
  Plots,
  ProjectPage,
  RecordPage,
  SessionCall,
  SessionEntry,
  SessionPage,
  SessionRow,
  SourceLine,
  StaleRow,
  UndoStep,
  Verdicts,
};

export interface ProjectRow {
  readonly key: string;
  readonly path: string;
  readonly records: number;
  readonly inbox: number;
  readonly sessions: number;
  readonly lastActivity?: string;
  /** Why it cannot be opened. */
  readonly problem?: string;
}

export interface Overview {
  readonly version: string;
  readonly home: string;
  /** The project in which the page was started, if it has a memory. */
  readonly here?: string;
  /** False when an agent's shell started the server: then nothing can be accepted or confirmed. */
  readonly isPerson: boolean;
  readonly projects: readonly ProjectRow[];
}

export interface WaitingRow extends ItemRow {
  readonly createdAt: string;
  readonly gist: string;
  readonly detail: string;
  /** Whether an earlier version drafted it. */
  readonly old: boolean;
  readonly session?: string;
}

export interface SettingRow {
  readonly key: string;
  readonly value: unknown;
  readonly source: string;
  readonly about: string;
  readonly takes: string;
  /** Whether it can be changed in a terminal only. */
  readonly isByPerson: boolean;
}

/** The page's queries: their parameters and answers. `project` is a key, `~user` for the user's own memory, or `~all` where a query covers all memories. */
export interface Reads {
  readonly overview: { readonly asks: { readonly project?: never }; readonly gets: Overview };
  /** Changes whenever something of the project changes on the disk. */
  readonly changes: { readonly asks: { readonly project: string }; readonly gets: { readonly version: string; readonly inbox: number } };
  readonly list: {
    readonly asks: {
      readonly project: string;
      readonly from: string;
      readonly limit: string;
      readonly category?: string;
      readonly status?: string;
      readonly kind?: string;
      readonly since?: string;
    };
    readonly gets: { readonly total: number; readonly rows: readonly ItemRow[] };
  };
  readonly search: {
    readonly asks: {
      readonly project: string;
      readonly q: string;
      readonly limit?: string;
      readonly kind?: string;
      readonly category?: string;
      readonly since?: string;
      readonly status?: string;
    };
    readonly gets: { readonly hits: readonly Hit[]; readonly warnings: readonly string[] };
  };
  readonly record: {
    readonly asks: { readonly project: string; readonly id: string };
    /** With the titles of the sessions that it was injected into. */
    readonly gets: RecordPage & { readonly sessions: Readonly<Record<string, string>> };
  };
  /** The conversation around a record's source. */
  readonly source: { readonly asks: { readonly project: string; readonly id: string }; readonly gets: { readonly lines: readonly SourceLine[] } };
  readonly history: { readonly asks: { readonly project: string; readonly id?: string }; readonly gets: { readonly entries: readonly LogLine[] } };
  readonly diff: { readonly asks: { readonly project: string; readonly id: string; readonly version: string }; readonly gets: { readonly text: string } };
  /** How a file changed since a record was written. */
  readonly code: { readonly asks: { readonly project: string; readonly id: string; readonly path: string }; readonly gets: { readonly text: string } };
  readonly inbox: { readonly asks: { readonly project: string }; readonly gets: { readonly rows: readonly WaitingRow[] } };
  readonly injections: {
    readonly asks: { readonly project: string; readonly session?: string; readonly limit?: string };
    readonly gets: {
      readonly injections: readonly Injection[];
      readonly verdicts: Readonly<Record<string, Verdicts>>;
      /** Titles of the sessions, if known. */
      readonly sessions: Readonly<Record<string, string>>;
      /** How many tokens are injected into one session at most. */
      readonly budget: number;
    };
  };
  readonly sessions: { readonly asks: { readonly project: string }; readonly gets: { readonly rows: readonly SessionRow[] } };
  readonly session: {
    readonly asks: { readonly project: string; readonly id: string; readonly from?: string; readonly around?: string; readonly limit?: string };
    readonly gets: SessionPage & { readonly from: number; readonly total: number };
  };
  readonly home: { readonly asks: { readonly project: string }; readonly gets: ProjectPage };
  readonly stale: { readonly asks: { readonly project: string }; readonly gets: { readonly rows: readonly StaleRow[] } };
  readonly settings: {
    readonly asks: { readonly project: string };
    readonly gets: { readonly rows: readonly SettingRow[]; readonly warnings: readonly string[] };
  };
  readonly plots: { readonly asks: { readonly project: string }; readonly gets: Plots };
}

/** The changes that the page can make. */
export interface Acts {
  readonly accept: { readonly project: string; readonly ids: readonly string[] };
  readonly reject: { readonly project: string; readonly ids: readonly string[] };
  readonly merge: { readonly project: string; readonly ids: readonly string[] };
  readonly edit: { readonly project: string; readonly id: string; readonly text: string; readonly hash: string };
  readonly move: { readonly project: string; readonly id: string; readonly to: 'retire' | 'restore' | 'archive' | 'unarchive' | 'confirm' };
  readonly settle: { readonly project: string; readonly path: string; readonly prefer: 'ours' | 'theirs' };
  readonly feedback: { readonly project: string; readonly id: string; readonly verdict: 'useful' | 'wrong' | 'outdated'; readonly session?: string };
  readonly setting: { readonly project: string; readonly key: string; readonly level: 'user' | 'project'; readonly value?: string };
  readonly undo: { readonly project: string; readonly step: UndoStep };
}

/** The answer to a refused request. */
export interface RefusedAnswer {
  readonly error: string;
  readonly message: string;
  readonly hint?: string;
  readonly conflict?: EditConflict;
}
