import type { MergedSettings } from './settings.ts';
import type { Result } from '../../core/result.ts';
import type { PackedBundle } from './collect.ts';
import { exportBundle } from './export.ts';
import type { BundleHost } from './host.ts';
import { importBundle } from './import.ts';
import type { BundleMerge } from './merge.ts';
import type { BundleScope } from './manifest.ts';

export interface Exported extends Omit<PackedBundle, 'entries'> {
  readonly file: string;
  readonly bytes: number;
}

/** The result for one memory of a bundle. */
export interface MergedPart extends BundleMerge {
  /** The project's key here; absent for the user's own memory. */
  readonly project?: string;
  /** The key on the other machine, if it is different here. */
  readonly was?: string;
  /** Messages of conversations that were new here. */
  readonly messages?: number;
  /** Settings that were imported, and those that have another value here and stay. */
  readonly settings?: Omit<MergedSettings, 'text'>;
  /** The bundle has settings that were not requested. */
  readonly offered?: true;
}

export interface BundleExportOptions {
  /** Also export conversations; the default is true only in scope `all`. */
  readonly conversations?: boolean;
}

export interface BundleImportOptions {
  /** Import the only project of the bundle into the current project. */
  readonly here?: boolean;
  /** Also import settings. Not by default: they can turn memory on and widen what it captures. */
  readonly settings?: boolean;
}

export interface BundleImport {
  readonly file: string;
  readonly parts: readonly MergedPart[];
}

/** Exports memories to one file, and imports them from one. */
export interface Bundles {
  /** Whether a file is packed as a bundle is. */
  isBundle(file: string): boolean;
  export(file: string, scope: BundleScope, options?: BundleExportOptions): Promise<Result<Exported>>;
  import(file: string, options?: BundleImportOptions): Promise<Result<BundleImport>>;
}

/** Bundles of the memories of one host. */
export const bundlesOf = (host: BundleHost): Bundles => ({
  isBundle: (file) => host.isBundle(host.resolve(file)),
  export: (file, scope, options) => exportBundle(host, file, scope, options),
  import: (file, options) => importBundle(host, file, options),
});
