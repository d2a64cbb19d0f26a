import { isObject } from './check.ts';
import { type Config, type Levels, shortJson } from './effective.ts';
import { configKeys } from './keys.ts';
import { type ConfigWarning, LEVELS } from './spec.ts';
import { unknownKeys } from './unknown.ts';

const misshapen = (levels: Levels): ConfigWarning[] =>
  LEVELS.filter((level) => levels[level] !== undefined && !isObject(levels[level])).map((level) => ({
    key: '',
    level,
    message: `the settings must be an object, not ${shortJson(levels[level])}; they are ignored`,
  }));

/** All that the levels say and that is not followed. Apart from the settings themselves: only who lists them wants to know, and finding the nearest key takes code. */
export const warningsOf = (config: Config): readonly ConfigWarning[] => [
  ...misshapen(config.levels),
  ...LEVELS.flatMap((level) => unknownKeys(level, config.levels[level])),
  ...configKeys().flatMap((key) => config.doubts(key)),
];
