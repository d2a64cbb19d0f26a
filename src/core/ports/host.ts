/** A process; `began` tells it from a later one that was given the same number. */
export interface RunningProcess {
  readonly pid: number;
  readonly began: string;
}

/** The processes of this machine. */
export interface Processes {
  readonly self: RunningProcess;
  /** The process that started this one. */
  readonly parent: RunningProcess;
  isRunning(process: RunningProcess): boolean;
}

/** Timers that do not keep the process alive. */
export interface Timers {
  /** Runs `work` once after so many milliseconds, unless it is cancelled. */
  after(ms: number, work: () => void): () => void;
}

/** Reports that something in some folders may have changed. */
export interface FolderWatcher {
  follow(folders: readonly string[]): void;
  close(): void;
}

/** Variables of the process's environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Milliseconds since the epoch. */
export type Clock = () => number;

/** MD5 of a text's UTF-8 bytes, in lower-case hex. Passed in: the pure folders have no crypto. */
export type Md5 = (text: string) => string;
