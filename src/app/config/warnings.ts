import type { ConfigWarning } from '../../core/config/spec.ts';
import { warningsOf } from '../../core/config/unknown.ts';
import type { LoadedConfig } from './load.ts';

/** What the files say that cannot be followed, unreadable files first. */
export const configWarnings = ({ config, unreadable }: LoadedConfig): readonly ConfigWarning[] => [...unreadable, ...warningsOf(config)];
