import { ok, refuse } from '../../../../core/result.ts';
import type { Command, Option } from '../../command.ts';
import { GLOBAL_OPTIONS } from '../../parse.ts';
import { loadCommands } from '../../registry.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

export const completionCommand: Command = {
  name: 'completion',
  about: 'Prints a completion script for your shell.',
  positionals: SHELLS.join('|'),
  most: 1,
  options: [],
  examples: [
    ['source <(holdfast completion bash)', 'in ~/.bashrc'],
    ['holdfast completion zsh > "${fpath[1]}/_holdfast"', 'for zsh'],
    ['holdfast completion fish > ~/.config/fish/completions/holdfast.fish', 'for fish'],
  ],
  run: async (_cli, args) => {
    const [shell] = args.positionals;
    const rows = (await loadCommands()).map(({ name, about, options }) => ({ name, about, options: [...options, ...GLOBAL_OPTIONS] }));
    const script = shell === 'bash' ? bash(rows) : shell === 'zsh' ? zsh(rows) : shell === 'fish' ? fish(rows) : undefined;
    if (script === undefined) return refuse('USAGE_ERROR', 'Name a shell: bash, zsh or fish.', { hint: 'holdfast completion --help' });
    return ok({ json: { ok: true, shell, script }, lines: [script] });
  },
};

interface Row {
  readonly name: string;
  readonly about: string;
  readonly options: readonly Option[];
}

const flags = (options: readonly Option[]): string => options.map(({ name }) => `--${name}`).join(' ');
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const bash = (rows: readonly Row[]): string => `_holdfast() {
  local cur=\${COMP_WORDS[COMP_CWORD]} words
  if [ "$COMP_CWORD" -eq 1 ]; then words=${quoted(rows.map(({ name }) => name).join(' '))}; else
    case \${COMP_WORDS[1]} in
${rows.map(({ name, options }) => `      ${name}) words=${quoted(flags(options))} ;;`).join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _holdfast holdfast`;

const zsh = (rows: readonly Row[]): string => `#compdef holdfast
_holdfast() {
  if (( CURRENT == 2 )); then
    local -a named=(${rows.map(({ name, about }) => quoted(`${name}:${about.replaceAll(':', String.raw`\:`)}`)).join(' ')})
    _describe command named
  else
    case $words[2] in
${rows.map(({ name, options }) => `      ${name}) compadd -- ${flags(options)} ;;`).join('\n')}
    esac
  fi
}
if [[ $funcstack[1] == _holdfast ]]; then _holdfast "$@"; else compdef _holdfast holdfast; fi`;

const fish = (rows: readonly Row[]): string =>
  rows
    .flatMap(({ name, about, options }) => [
      `complete -c holdfast -n __fish_use_subcommand -a ${name} -d ${quoted(about)}`,
      ...options.map(
        (option) => `complete -c holdfast -n '__fish_seen_subcommand_from ${name}' -l ${option.name} -d ${quoted(option.about)}${option.value ? ' -r' : ''}`,
      ),
    ])
    .join('\n');
