import type { Result } from '../../core/result.ts';
import type { Packed } from './export.ts';
import type { Merged } from './import.ts';
import type { Scope } from './manifest.ts';

export interface Exported extends Omit<Packed, 'entries'> {
  readonly file: string;
  readonly bytes: number;
}

/** What became of one memory of a bundle. */
export interface MergedPart extends Merged {
  /** The project's key here; absent for the user's own memory. */
  readonly project?: string;
  /** The key it had where it came from, where that is taken here. */
  readonly was?: string;
}

export interface Imported {
  readonly file: string;
  readonly parts: readonly MergedPart[];
}

/** Memories out and in, as one file. */
export interface Bundles {
  export(file: string, scope: Scope): Promise<Result<Exported>>;
  /** `here`: what the one project of the bundle knows goes to the project at hand. */
  import(file: string, here?: boolean): Promise<Result<Imported>>;
}
