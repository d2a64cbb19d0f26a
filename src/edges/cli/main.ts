import { type Failure, isFailure, isRefused } from '../../core/failure.ts';
import type { Refusal } from '../../core/result.ts';
import type { Cli, Command, Outcome, Said } from './command.ts';
import { COLOURED, PLAIN } from './paint.ts';
import { EVERYWHERE, parseArguments } from './parse.ts';
import { COMMANDS } from './table.ts';

/** The process around the command line, as far as it matters here. */
export interface Terminal {
  readonly isTerminal: boolean;
  out(text: string): void;
  err(text: string): void;
}

export interface GlobalOptions {
  readonly home?: string;
  readonly project?: string;
}

const exitCodeOf = ({ code, missing }: Pick<Refusal, 'code' | 'missing'>): number => {
  if (missing || code === 'NOT_FOUND') return 4;
  if (code === 'OCC_CONFLICT') return 3;
  if (code === 'USAGE_ERROR') return 2;
  return code === 'IO_ERROR' || code === 'LOCK_TIMEOUT' || code === 'READ_ERROR' ? 5 : 1;
};

/** What the composition root supplies. */
export interface Host {
  /** Builds the outside, when a command needs it. */
  connect(options: GlobalOptions, paint: Cli['paint']): Cli;
  /** A command is loaded when it is called: a search pays for nothing but the search. */
  load(name: string): Promise<Command>;
}

/** Runs one command line and returns the exit code. */
export async function main(argv: readonly string[], terminal: Terminal, { connect, load }: Host): Promise<number> {
  const findCommand = async (word: string): Promise<Command | undefined> => (COMMANDS.some((command) => command.name === word) ? load(word) : undefined);
  const asksJson = argv.includes('--json');
  const quiet = argv.includes('--quiet');
  const paint = terminal.isTerminal && !asksJson && !argv.includes('--no-color') ? COLOURED : PLAIN;
  const [name, ...rest] = commandFirst(argv);
  const fail = (error: Refusal | Failure): number => {
    if (asksJson) terminal.out(`${JSON.stringify({ ok: false, error: error.code, message: error.message, ...extras(error) })}\n`);
    else {
      terminal.err(`${paint.red(error.code)} ${error.message}\n`);
      if (error.hint && !quiet) terminal.err(`  ${paint.dim(error.hint)}\n`);
    }
    return exitCodeOf(error);
  };

  if (name === undefined || name === 'help' || name === '--help' || name === '-h' || name === '--version' || name === '-v') {
    const cli = connect({}, paint);
    if (name?.endsWith('v') || name === '--version') {
      terminal.out(`${cli.version}\n`);
      return 0;
    }
    const [{ overview }, asked] = [await import('./help.ts'), rest[0] === undefined ? undefined : await findCommand(rest[0])];
    terminal.out(`${(asked ? (await import('./help.ts')).commandHelp(asked, paint) : overview(COMMANDS, cli.version, paint)).join('\n')}\n`);
    return 0;
  }
  const command = await findCommand(name);
  if (!command) return fail({ code: 'USAGE_ERROR', message: `there is no command ${JSON.stringify(name)}`, hint: await nearest(name) });
  const args = parseArguments(rest, command);
  if (!args.ok) return fail(args.error);
  if (args.value.flag('help')) {
    const { commandHelp } = await import('./help.ts');
    terminal.out(`${commandHelp(command, paint).join('\n')}\n`);
    return 0;
  }
  try {
    const home = args.value.text('home');
    const project = args.value.text('project');
    const outcome = await command.run(connect({ ...(home !== undefined && { home }), ...(project !== undefined && { project }) }, paint), args.value);
    return outcome.ok ? say(outcome, terminal, asksJson, quiet, paint) : fail(outcome.error);
  } catch (cause) {
    if (isFailure(cause)) return fail(cause);
    if (isRefused(cause)) return fail(cause.refusal);
    throw cause;
  }
}

const extras = (error: Refusal | Failure): object => {
  const { hint } = error;
  const { fields, rule } = error as Refusal;
  return { ...(hint && { hint }), ...(fields && { fields }), ...(rule && { rule }) };
};

function say({ value }: Extract<Outcome, { ok: true }>, terminal: Terminal, asksJson: boolean, quiet: boolean, paint: Cli['paint']): number {
  const said: Said = value;
  if (!quiet) for (const warning of said.warnings ?? []) terminal.err(`${paint.yellow('note')} ${warning}\n`);
  if (asksJson) {
    const documents = said.stream ? (said.json as readonly unknown[]) : [said.json];
    for (const document of documents) terminal.out(`${JSON.stringify(document)}\n`);
  } else if (said.lines.length > 0) terminal.out(`${said.lines.join('\n')}\n`);
  return said.exit ?? 0;
}

/** `holdfast --home X search y` reads as `holdfast search --home X y`. */
function commandFirst(argv: readonly string[]): readonly string[] {
  const takesValue = new Set(EVERYWHERE.filter(({ value }) => value).map(({ name }) => `--${name}`));
  let at = 0;
  while (at < argv.length && argv[at]?.startsWith('--') && !['--help', '--version'].includes(argv[at] ?? '')) at += takesValue.has(argv[at] ?? '') ? 2 : 1;
  return at === 0 || at >= argv.length ? argv : [argv[at] as string, ...argv.slice(0, at), ...argv.slice(at + 1)];
}

async function nearest(name: string): Promise<string> {
  const close = COMMANDS.find((command) => command.name.startsWith(name.slice(0, 3)));
  return close ? `did you mean ${close.name}? holdfast --help lists all commands` : 'holdfast --help lists all commands';
}
