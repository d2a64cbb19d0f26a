import { contextBlock, injectIntoPrompt, subagentPrompt } from '../../app/memory-files/block.ts';
import type { LayerLoader } from './memory-loader.ts';

/** Puts memory into prompts. Keeps the first load until the cache is cleared. */
export class ContextInjector {
  readonly #loader: LayerLoader;
  readonly #now: () => number;
  #cached: Promise<string> | undefined;

  constructor(memoryLoader: LayerLoader, options: { readonly now?: () => number } = {}) {
    this.#loader = memoryLoader;
    this.#now = options.now ?? Date.now;
  }

  /** The merged memory, with project, session and the time of this call. */
  async getContextBlock(projectName = 'Unknown', sessionId = 'N/A'): Promise<string> {
    return contextBlock({ project: projectName, session: sessionId, at: this.#now(), memory: await this.#memory() });
  }

  /** The block before the first `## Task` of a prompt, or before all of it. A prompt stays as it is where memory is switched off. */
  async injectIntoPrompt(originalPrompt: string, projectName = 'Unknown', sessionId = 'N/A'): Promise<string> {
    if (!this.#loader.isEnabled()) return originalPrompt;
    return injectIntoPrompt(originalPrompt, await this.getContextBlock(projectName, sessionId));
  }

  /** A complete prompt for a subagent: rules, memory and task. */
  async subagentPrompt(originalTask: string): Promise<string> {
    return subagentPrompt(await this.#memory(), originalTask);
  }

  /** The next call reads the files again. Call it after every update. */
  clearCache(): void {
    this.#cached = undefined;
  }

  /** Whether the files have changed since they were loaded. */
  async isStale(): Promise<boolean> {
    return this.#cached !== undefined && (await this.#cached) !== (await this.#loader.getContextForInjection());
  }

  #memory(): Promise<string> {
    if (this.#cached) return this.#cached;
    const loading = this.#loader.getContextForInjection();
    this.#cached = loading;
    // The next call tries again.
    loading.catch(() => this.clearCache());
    return loading;
  }
}
