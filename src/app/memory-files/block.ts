import { localSeconds } from './layers.ts';

/** The version of the module whose texts these are, and the orchestrators it works with. */
export const MODULE_VERSION = 'V12.0';
export const COMPATIBLE_ORCHESTRATORS: readonly string[] = ['V8.0+', 'V12.0'];

export interface BlockFacts {
  readonly project?: string | undefined;
  readonly session?: string | undefined;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly memory: string;
}

/** The block for an agent's context: the merged memory, its project and session, and when it was loaded. */
export const contextBlock = ({ project = 'Unknown', session = 'N/A', at, memory }: BlockFacts): string => `## Loaded Memory Context

### Project: ${project}
### Session: ${session}
### Loaded: ${localSeconds(at)}

${memory}

---
*Memory loaded by Memory Integration Module ${MODULE_VERSION}*
`;

const TASK = /^## Task(?![\p{L}\p{N}_])/mu;

/** Puts a block before the task of a prompt, or before the whole prompt if it has no task section. */
export function injectIntoPrompt(prompt: string, block: string): string {
  const at = TASK.exec(prompt)?.index;
  return at === undefined ? `${block}\n\n${prompt}` : `${prompt.slice(0, at)}${block}\n\n${prompt.slice(at)}`;
}

const EXECUTION_RULES = `EXECUTION RULES:
1. SHOW YOUR PLAN FIRST: Before doing any work, show a sub-task table...
2. PARALLELISM: Execute ALL independent operations in a SINGLE message...
3. UPDATE TABLE: After completing work, show the updated table with results.`;

/** The prompt of a subagent: how to work, the memory, and the task. */
export const subagentPrompt = (memory: string, task: string): string => `${EXECUTION_RULES}

## Memory Context (Auto-Loaded)

${memory}

## Task

${task}
`;
