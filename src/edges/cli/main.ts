import type { Cli, Command, CommandResult, CommandOutput } from './command.ts';
import { exitCodeOf, errorJson, commandErrorOf, type CommandError, didYouMean } from './errors.ts';
import { fenced, plain } from '../../recall/inject/plain.ts';
import { COLOURED, inert, inertJson, PLAIN } from './paint.ts';
import { GLOBAL_OPTIONS, parseArguments } from './parse.ts';
import { commandFor, commandNamed, REGISTRY } from './registry.ts';

/** The standard streams, and whether they are terminals. */
export interface Terminal {
  readonly isTerminal: boolean;
  /** Whether errors go to a terminal; called only if there is one. */
  isErrorTerminal(): boolean;
  out(text: string): void;
  err(text: string): void;
}

export interface GlobalOptions {
  readonly home?: string;
  readonly project?: string;
}

/** Makes the context of a command, which opens files and services when they are first used. */
export type Connect = (options: GlobalOptions, paint: Cli['paint']) => Cli;

/** Runs one command line and returns the exit code. */
export async function main(argv: readonly string[], terminal: Terminal, connect: Connect): Promise<number> {
  const flags = new Set(argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv);
  const [asksJson, quiet] = [flags.has('--json'), flags.has('--quiet')];
  const mayPaint = !asksJson && !flags.has('--no-color');
  const paint = mayPaint && terminal.isTerminal ? COLOURED : PLAIN;
  const errorPaint = (): Cli['paint'] => (mayPaint && terminal.isErrorTerminal() ? COLOURED : PLAIN);
  const [name, ...rest] = flagAsWord(commandFirst(argv));
  const fail = (error: CommandError): number => {
    const hint = error.hint ?? `holdfast ${name} --help`;
    if (asksJson) terminal.out(`${JSON.stringify(errorJson({ ...error, hint }))}\n`);
    else {
      const { red, dim } = errorPaint();
      terminal.err(`${red(error.code)} ${inert(error.message)}\n`);
      if (!quiet) terminal.err(`  ${dim(inert(hint))}\n`);
    }
    return exitCodeOf(error);
  };
  const failUnknown = (word: string): number => {
    const [kind, shownWord, names] = word.startsWith('-')
      ? ['option', word, GLOBAL_OPTIONS.map((option) => `--${option.name}`)]
      : ['command', JSON.stringify(word), REGISTRY.map((entry) => entry.name)];
    const synonym = commandFor(word.toLowerCase());
    const suggestion = synonym === undefined ? didYouMean(word, names) : ` Did you mean ${synonym}?`;
    return fail({ code: 'USAGE_ERROR', message: `Unknown ${kind} ${shownWord}.${suggestion}`, hint: 'holdfast --help lists all commands' });
  };
  const printHelp = async (command: Command | undefined): Promise<number> => {
    const { commandHelp, overview } = await import('./help.ts');
    const lines = command ? commandHelp(command, paint) : overview(connect({}, paint).version, paint);
    terminal.out(asksJson ? `${JSON.stringify({ ok: true, help: lines.join('\n') })}\n` : `${lines.join('\n')}\n`);
    return 0;
  };

  if (name === '--version' || name === '-v') {
    const { version } = connect({}, paint);
    terminal.out(asksJson ? `${JSON.stringify({ ok: true, version })}\n` : `${version}\n`);
    return 0;
  }
  const globalArguments = name === undefined ? parseArguments(argv, { name: '', options: [], most: 0 }) : undefined;
  if (globalArguments && !globalArguments.ok) return fail(globalArguments.error);
  if (globalArguments && !globalArguments.value.flag('help')) {
    const { projectOverview } = await import('./commands/projects/project-overview.ts');
    const [home, project] = [globalArguments.value.text('home'), globalArguments.value.text('project')];
    const cli = connect({ ...(home !== undefined && { home }), ...(project !== undefined && { project }) }, paint);
    try {
      const overviewOutput = await projectOverview(cli);
      if (overviewOutput) return printOutput(overviewOutput, terminal, asksJson, quiet, errorPaint, cli.caller === 'agent' ? 'status' : undefined);
    } catch (cause) {
      // If no memory can be opened, the list of commands is printed instead.
      if (!commandErrorOf(cause)) throw cause;
    }
  }
  if (name === undefined || name === '--help' || name === '-h') return printHelp(undefined);
  if (name === 'help') {
    const words = parseArguments(rest, { name, options: [], most: 1 });
    if (!words.ok) return fail(words.error);
    const [word] = words.value.positionals;
    const command = word === undefined ? undefined : await commandNamed(word)?.load();
    return word !== undefined && !command ? failUnknown(word) : printHelp(command);
  }
  const command = await commandNamed(name)?.load();
  if (!command) return failUnknown(name);
  const args = parseArguments(rest, command);
  if (!args.ok) return fail(args.error);
  if (args.value.flag('help')) return printHelp(command);
  const [home, project] = [args.value.text('home'), args.value.text('project')];
  if (project === 'all' && !command.crosses) {
    return fail({ code: 'USAGE_ERROR', message: `${name} works on one project, not on all.`, hint: 'name a project by its path, key or hash' });
  }
  const connectTo = (key: string | undefined): Cli => connect({ ...(home !== undefined && { home }), ...(key !== undefined && { project: key }) }, paint);
  try {
    const cli = connectTo(project);
    const fence = cli.caller === 'agent' && !VERBATIM.has(name) ? name : undefined;
    const result = await runWithProgress(cli, (context) => command.run({ ...context, elsewhere: connectTo }, args.value));
    if (!result.ok) return fail(fence === undefined ? result.error : { ...result.error, message: plain(result.error.message) });
    return printOutput(result.value, terminal, asksJson, quiet, errorPaint, fence);
  } catch (cause) {
    const commandError = commandErrorOf(cause);
    if (commandError) return fail(commandError);
    throw cause;
  }
}

/** Runs a command and clears its progress line before its output. */
async function runWithProgress(cli: Cli, run: (cli: Cli) => Promise<CommandResult>): Promise<CommandResult> {
  const { progress } = cli;
  if (!progress) return run(cli);
  let shown = '';
  try {
    return await run({ ...cli, progress: (text) => progress((shown = text)) });
  } finally {
    if (shown !== '') progress('');
  }
}

/** Commands whose output is not fenced: an agent copies it, or a shell or a client parses it. */
const VERBATIM = new Set(['breadcrumb', 'completion', 'hook', 'mcp']);

/** Prints the output and returns the exit code. An agent gets it fenced under `fence`, so that stored text reads as data and not as instructions. */
function printOutput(
  output: CommandOutput,
  terminal: Terminal,
  asksJson: boolean,
  quiet: boolean,
  errorPaint: () => Cli['paint'],
  fence: string | undefined,
): number {
  const notes = quiet ? [] : (output.warnings ?? []).map((warning) => `${errorPaint().yellow('note')} ${inert(warning)}`);
  if (notes.length > 0) terminal.err(`${fence === undefined ? notes.join('\n') : fenced(fence, notes)}\n`);
  if (asksJson) {
    const documents = output.stream ? (output.json as readonly unknown[]) : [output.json];
    for (const document of documents) {
      const json = inertJson(document);
      terminal.out(`${fence === undefined ? json : json.replaceAll('<', '\\u003c')}\n`);
    }
  } else {
    const lines = output.lines.length === 0 ? [] : fence === undefined ? output.lines : [fenced(fence, output.lines)];
    const shown = [...(output.block === undefined ? [] : [output.block]), ...lines];
    if (shown.length > 0) terminal.out(`${shown.join('\n')}\n`);
  }
  return output.exit ?? 0;
}

/** `holdfast --home X search y` reads as `holdfast search --home X y`. */
function commandFirst(argv: readonly string[]): readonly string[] {
  const known = new Map(GLOBAL_OPTIONS.map(({ name, value }) => [`--${name}`, value ? 2 : 1]));
  let at = 0;
  while (at < argv.length && argv[at] !== '--help' && argv[at]?.startsWith('--')) {
    const [word = ''] = (argv[at] ?? '').split('=', 1);
    const width = word === argv[at] ? known.get(word) : known.has(word) ? 1 : undefined;
    if (width === undefined) break;
    at += width;
  }
  return at === 0 ? argv : at >= argv.length ? [] : [argv[at] as string, ...argv.slice(0, at), ...argv.slice(at + 1)];
}

const FLAG_WORD = /^--(retire|restore|archive|unarchive|gc)$/;

/** `--retire ID` reads as `retire ID`, and so on. */
function flagAsWord([name = '', ...rest]: readonly string[]): readonly string[] {
  if (name === '') return [];
  return name === '--list-archived' ? ['archive', '--list', ...rest] : [name.replace(FLAG_WORD, '$1'), ...rest];
}
