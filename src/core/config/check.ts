import { isObject } from '../value.ts';
import { err, ok, type Result } from '../result.ts';
import type { AnyValue, KeySpec, MapSpec } from './spec.ts';

/** Bounds of a glob in a setting: a config file that comes with a clone must not make matching slow. */
const LENGTH = 200;
const STARS = 12;
const ALTERNATIVES = 8;

const WILDCARD = /[*?{}[\]!^,/\\.\s-]/g;
const CLASS = /\[[!^]?([^\]]+)\]/g;
const RANGE = /([^-])-([^-])/g;

const runsBackwards = (members: string): boolean => [...members.matchAll(RANGE)].some(([, from = '', to = '']) => from > to);

/** Why a glob is not accepted, in words that follow it; undefined if it is fine. */
export function globFault(glob: string): string | undefined {
  if (glob.length > LENGTH) return `is longer than ${LENGTH} characters`;
  if ((glob.match(/\*+/g)?.length ?? 0) > STARS) return `has more than ${STARS} stars`;
  if ((glob.match(/\{[^]*\}/)?.[0].match(/,/g)?.length ?? 0) > ALTERNATIVES) return `has more than ${ALTERNATIVES} commas in braces`;
  for (const [words, members = ''] of glob.matchAll(CLASS)) if (runsBackwards(members)) return `has a range that runs backwards: ${words}`;
  return undefined;
}

/** Whether a glob has no literal part, so that it matches nearly every file. */
export const coversEverything = (glob: string): boolean => glob.replaceAll(WILDCARD, '') === '';

const CONTROL = /[\u0000-\u001f\u007f\u2028\u2029]/;
export const LIST_LIMIT = 200;
export const TEXT_LIMIT = 500;

/** The values that a key takes, in words that fit after "must be". */
export function expected(spec: KeySpec): string {
  switch (spec.type) {
    case 'bool':
      return 'true or false';
    case 'int':
      return `a whole number from ${spec.min} to ${spec.max}`;
    case 'number':
      return `a number from ${spec.min} to ${spec.max}`;
    case 'enum':
      return `one of ${spec.values.join(', ')}`;
    case 'string':
      return `one line of at most ${spec.limit} characters`;
    case 'list':
      return `a list of at most ${LIST_LIMIT} globs, such as ["secrets/**", "*.pem"]`;
    case 'map':
      return `an object whose names are among ${spec.names.join(', ')} and whose values are texts`;
  }
}

const line = (value: unknown, limit: number): value is string => typeof value === 'string' && value.length <= limit && !CONTROL.test(value);

const isMapOf = (spec: MapSpec, value: unknown): value is Readonly<Record<string, string>> =>
  isObject(value) && Object.entries(value).every(([name, inner]) => spec.names.includes(name) && line(inner, TEXT_LIMIT) && inner !== '');

/** A valid value of the key, or the values that it takes. */
export function check(spec: KeySpec, value: unknown): Result<AnyValue, string> {
  const fits = (): boolean => {
    switch (spec.type) {
      case 'bool':
        return typeof value === 'boolean';
      case 'int':
        return Number.isSafeInteger(value) && (value as number) >= spec.min && (value as number) <= spec.max;
      case 'number':
        return typeof value === 'number' && value >= spec.min && value <= spec.max;
      case 'enum':
        return spec.values.includes(value as string | boolean);
      case 'string':
        return line(value, spec.limit);
      case 'list':
        return Array.isArray(value) && value.length <= LIST_LIMIT && value.every((item) => line(item, TEXT_LIMIT) && item !== '');
      case 'map':
        return isMapOf(spec, value);
    }
  };
  if (!fits()) return err(expected(spec));
  const fault = spec.type === 'list' ? faultyGlobs(value as readonly string[])[0] : undefined;
  return fault === undefined ? ok(value as AnyValue) : err(`${expected(spec)}; ${fault}`);
}

const faultyGlobs = (globs: readonly string[]): readonly string[] =>
  globs.flatMap((glob) => {
    const fault = globFault(glob);
    return fault === undefined ? [] : [`${JSON.stringify(glob.slice(0, 60))} ${fault}`];
  });

const YES = new Set(['true', 'on', 'yes', '1']);
const NO = new Set(['false', 'off', 'no', '0']);

function parsed(spec: KeySpec, words: string): unknown {
  const bare = words.trim();
  const lower = bare.toLowerCase();
  const asBool = YES.has(lower) ? true : NO.has(lower) ? false : undefined;
  switch (spec.type) {
    case 'bool':
      return asBool;
    case 'int':
    case 'number':
      return /^[+-]?(\d[\d_]*(\.\d+)?|\.\d+)(e\d+)?$/i.test(bare) ? Number(bare.replaceAll('_', '')) : undefined;
    case 'enum':
      return spec.values.find((value) => String(value) === lower) ?? (spec.values.includes(true) ? asBool : undefined);
    case 'string':
      return words;
    case 'list':
      return bare.startsWith('[')
        ? json(bare)
        : bare
            .split(',')
            .map((item) => item.trim())
            .filter(Boolean);
    case 'map':
      return json(bare);
  }
}

function json(words: string): unknown {
  try {
    return JSON.parse(words);
  } catch {
    return undefined;
  }
}

/** A value as a person types it on a command line. */
export const checkWords = (spec: KeySpec, words: string): Result<AnyValue, string> => check(spec, parsed(spec, words));

/** A model's name, which becomes part of a request to the agent. */
const NAME = /^[\w.:@-]{1,64}$/;

/** Why a value of a harmless key does not count in a shared config, in words that follow "a shared config"; undefined if it does. */
export function harmfulness(spec: KeySpec, value: AnyValue): string | undefined {
  if ((spec.type === 'number' || spec.type === 'int') && spec.sharedRange) {
    const [least, most] = spec.sharedRange;
    return (value as number) < least || (value as number) > most ? `can set this from ${least} to ${most}` : undefined;
  }
  if (spec.type !== 'map') return undefined;
  return Object.values(value as Readonly<Record<string, string>>).every((name) => NAME.test(name)) ? undefined : 'can only name models here';
}

/** Whether `requested` permits at most as much as `allowed`. */
export function isNarrower(spec: KeySpec, requested: AnyValue, allowed: AnyValue): boolean {
  switch (spec.type) {
    case 'bool':
      return requested === false || allowed === true;
    case 'int':
    case 'number':
      return spec.narrower === 'less' ? (requested as number) <= (allowed as number) : (requested as number) >= (allowed as number);
    case 'enum':
      return spec.values.indexOf(requested as string) >= spec.values.indexOf(allowed as string);
    case 'list':
      return true;
    case 'string':
    case 'map':
      return false;
  }
}
