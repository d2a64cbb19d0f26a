/** A process; `began` tells it from a later one that was given the same number. */
export interface RunningProcess {
  readonly pid: number;
  readonly began: string;
}

/** The processes of this machine. */
export interface Processes {
  readonly self: RunningProcess;
  isRunning(process: RunningProcess): boolean;
}
