import type { Config } from '../../core/config/effective.ts';
import type { ConfigKey } from '../../core/config/keys.ts';

/** The automatic work of hooks, which can be switched off. Commands and tools always work. */
export type Automatic = 'load' | 'recall' | 'subagents' | 'capture' | 'update' | 'guard';

/** The setting of each, which overrides the mode once it is set. */
const OWN_SETTING: Readonly<Record<Exclude<Automatic, 'guard'>, ConfigKey>> = {
  load: 'autoLoad',
  recall: 'retrieval.max_inject',
  subagents: 'inject.subagents',
  capture: 'autoUpdate',
  update: 'autoUpdate',
};

const OFF: ReadonlySet<unknown> = new Set([false, 0, 'off']);

export interface Switch {
  /** Whether the user has turned memory on and has not turned it off since. */
  readonly on: boolean;
  /** The reason, for `status` and `doctor`. */
  readonly because: string;
  /** Whether hooks may do this now. */
  allows(what: Automatic): boolean;
}

const switchedOff = (because: string): Switch => ({ on: false, because, allows: () => false });

/** Decides which automatic work hooks may do for a project; `started` is true between start and stop. */
export function switchOf(config: Config, started: boolean): Switch {
  if (config.unreadable !== undefined) return switchedOff(`Memory is off: ${config.unreadable}. Fix the file or delete it.`);
  if (!config.get('enabled')) return switchedOff(`Memory is off: enabled is false (${config.source('enabled')}).`);
  if (!config.get('on')) return switchedOff('Memory is off in this project. Turn it on with `holdfast start`.');
  const mode = config.get('mode');
  const runs = mode === 'auto' || (mode === 'session' && started);
  const because = mode === 'session' ? `mode session, ${started ? 'started' : 'stopped'}` : `mode ${mode}`;
  return {
    on: true,
    because,
    allows: (what) => {
      // The guard works in any mode: a directly written file could be lost.
      if (what === 'guard') return true;
      const key = OWN_SETTING[what];
      if (OFF.has(config.get(key))) return false;
      const source = config.source(key);
      return runs || (source !== 'default' && source !== 'shared');
    },
  };
}

/** Whether a project is between `start` and `stop`, by its session file. */
export function isStarted(sessionText: string | undefined): boolean {
  if (sessionText === undefined) return false;
  try {
    const value: unknown = JSON.parse(sessionText);
    return typeof value === 'object' && value !== null && 'active' in value && value.active === true;
  } catch {
    return false;
  }
}
