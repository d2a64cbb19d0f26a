/** The levels at which a value may be set; later ones override earlier ones, and all override the defaults. */
export const LEVELS = ['user', 'shared', 'project'] as const;
export type Level = (typeof LEVELS)[number];

/** An entry of a config file that is ignored, and why. */
export interface ConfigWarning {
  readonly key: string;
  readonly level: Level;
  readonly message: string;
}

/**
 * How far a config committed with the code may set a key. It comes with every clone, so it is not trusted.
 * - `nothing`: the key widens access, starts a program, names a path or an endpoint, or deletes data of the user.
 * - `tighten`: the config may only reduce what is captured, injected or spent from now on. Existing data stays, and the user's project setting wins.
 * - `harmless`: the key deletes and widens nothing: a text that is shown as the repository's, a threshold in the usual range, the model of a category.
 */
export type SharedRule = 'nothing' | 'tighten' | 'harmless';

interface Common {
  readonly shared: SharedRule;
  /** It starts a program or sets where text or a key is sent, so only a person at a terminal may set it, never an agent, a bundle or a repository. */
  readonly byPerson?: true;
  /** The pattern a generated key belongs to, such as `categories.<name>.enabled`. */
  readonly family?: string;
}

export interface BoolSpec extends Common {
  readonly type: 'bool';
  readonly default: boolean;
}

export interface NumberSpec extends Common {
  readonly type: 'int' | 'number';
  readonly default: number;
  readonly min: number;
  readonly max: number;
  /** The values that a shared config may set. */
  readonly sharedRange?: readonly [least: number, most: number];
  /** Which direction tightens. */
  readonly narrower: 'less' | 'more';
}

export interface EnumSpec<V extends string | boolean = string | boolean> extends Common {
  readonly type: 'enum';
  /** Widest first if a shared config may narrow the key. */
  readonly values: readonly V[];
  readonly default: V;
}

export interface TextSpec extends Common {
  readonly type: 'string';
  readonly default: string;
  readonly limit: number;
}

export interface ListSpec extends Common {
  readonly type: 'list';
  readonly items: 'glob';
  readonly default: readonly string[];
}

export interface MapSpec extends Common {
  readonly type: 'map';
  readonly names: readonly string[];
  readonly default: Readonly<Record<string, string>>;
}

export type KeySpec = BoolSpec | NumberSpec | EnumSpec | TextSpec | ListSpec | MapSpec;

export type ValueOf<S extends KeySpec> = S extends BoolSpec
  ? boolean
  : S extends NumberSpec
    ? number
    : S extends EnumSpec<infer V>
      ? V
      : S extends TextSpec
        ? string
        : S extends ListSpec
          ? readonly string[]
          : Readonly<Record<string, string>>;

export type AnyValue = ValueOf<KeySpec>;

type Numeric = Partial<Pick<NumberSpec, 'min' | 'max' | 'narrower' | 'family' | 'sharedRange'>>;

export const bool = (value: boolean, shared: SharedRule, family?: string): BoolSpec => ({
  type: 'bool',
  default: value,
  shared,
  ...(family === undefined ? {} : { family }),
});

export const int = (value: number, shared: SharedRule, more: Numeric = {}): NumberSpec => ({
  type: 'int',
  default: value,
  shared,
  min: 0,
  max: 1_000_000_000_000,
  narrower: 'less',
  ...more,
});

export const number = (value: number, shared: SharedRule, more: Numeric = {}): NumberSpec => ({
  ...int(value, shared, { max: 1, ...more }),
  type: 'number',
});

export const oneOf = <const V extends string | boolean>(values: readonly V[], value: NoInfer<V>, shared: SharedRule): EnumSpec<V> => ({
  type: 'enum',
  values,
  default: value,
  shared,
});

export const text = (value: string, shared: SharedRule, family?: string): TextSpec => ({
  type: 'string',
  default: value,
  shared,
  limit: 500,
  ...(family === undefined ? {} : { family }),
});

export const globs = (shared: SharedRule): ListSpec => ({ type: 'list', items: 'glob', default: [], shared });

/** Marks keys that only a person at a terminal sets. */
export const byPerson = <const T extends Readonly<Record<string, KeySpec>>>(table: T): { readonly [K in keyof T]: T[K] & { readonly byPerson: true } } =>
  Object.fromEntries(Object.entries(table).map(([key, spec]) => [key, { ...spec, byPerson: true }])) as {
    readonly [K in keyof T]: T[K] & { readonly byPerson: true };
  };

export const map = (names: readonly string[], value: Readonly<Record<string, string>>, shared: SharedRule): MapSpec => ({
  type: 'map',
  names,
  default: value,
  shared,
});
