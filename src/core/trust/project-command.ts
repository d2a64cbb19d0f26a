import { isProjectFile } from './project-file.ts';

/** Commands that print only the files that they name, or no text of others. */
const LOCAL = new Set(
  [
    'ls pwd cd echo printf true false test [ cat head tail less more sed awk gawk grep egrep fgrep rg ag find fd wc sort uniq cut tr tee diff cmp comm stat file du df tree basename dirname',
    'realpath readlink mkdir rmdir rm mv cp touch ln chmod date sleep which type command export set unset source env printenv uname id whoami hostname nproc ps kill pkill lsof jq yq column',
    'tsc vitest jest mocha ava tap eslint oxlint oxfmt prettier biome stylelint knip playwright cypress pytest mypy ruff black isort flake8 pyright tox nox rspec rubocop phpunit phpstan gofmt',
    'rustfmt golangci-lint shellcheck shfmt ctest ninja clang-format clang-tidy javac ktlint detekt',
  ]
    .join(' ')
    .split(' '),
);
/** Of these, the first words that only work on the project. */
const SUBCOMMANDS: Readonly<Record<string, RegExp>> = {
  git: /^(?:status|diff|log|show|add|commit|branch|checkout|switch|restore|stash|rev-parse|rev-list|ls-files|ls-tree|blame|grep|mv|rm|reset|tag|merge|rebase|cherry-pick|revert|describe|config|init|worktree|bisect|shortlog|reflog|symbolic-ref|cat-file|merge-base|notes|clean|apply|am|format-patch)$/,
  npm: /^(?:test|t|run|start|run-script|ls|pack|version|--version|-v)$/,
  pnpm: /^(?:test|t|run|start|build|lint|typecheck|ls|--version|-v)$/,
  yarn: /^(?:test|run|start|build|lint|typecheck|--version|-v)$/,
  bun: /^(?:test|run|build|--version|-v)$/,
  npx: /^(?:tsc|vitest|jest|mocha|eslint|oxlint|oxfmt|prettier|biome|knip|playwright|tsx|ts-node|stylelint|publint)$/,
  cargo: /^(?:test|build|check|clippy|fmt|run|bench|nextest|doc|--version)$/,
  go: /^(?:test|build|vet|run|fmt|generate|version|mod|tool)$/,
  make: /^(?!.*(?:install|fetch|download|pull|deploy|publish)).*$/,
  just: /^(?!.*(?:install|fetch|download|pull|deploy|publish)).*$/,
  cmake: /^.*$/,
  gradle: /^(?:test|build|check|assemble|clean|lint|compile\w*)$/,
  gradlew: /^(?:test|build|check|assemble|clean|lint|compile\w*)$/,
  mvn: /^(?:test|verify|compile|package|clean|-q|-o)$/,
  dotnet: /^(?:test|build|run|format)$/,
  mix: /^(?:test|compile|format|credo|dialyzer|run)$/,
  rebar3: /^(?:compile|ct|eunit|dialyzer|fmt)$/,
  dune: /^(?:build|test|runtest|fmt|clean)$/,
  stack: /^(?:build|test|bench)$/,
  swift: /^(?:build|test|run)$/,
  xcodebuild: /^(?:build|test|clean)$/,
  deno: /^(?:test|fmt|lint|check|task)$/,
  composer: /^(?:test|run|run-script|validate)$/,
  rails: /^(?:test|db:\w+|routes)$/,
  terraform: /^(?:fmt|validate)$/,
};
/** Programs that run a script of the project, or a line of code without access to anything outside. */
const INTERPRETERS = /^(?:node|python\d?(?:\.\d+)?|ruby|perl|php|bash|sh|zsh|tsx|ts-node|lua|Rscript|java|go)$/;
const SHELLS = /^(?:bash|sh|zsh)$/;
/** Options and words that another command follows. */
const RUNS_COMMAND: Readonly<Record<string, RegExp>> = {
  find: /^-(?:exec|ok)(?:dir)?$/,
  fd: /^(?:-x|-X|--exec(?:-batch)?)$/,
  git: /^(?:-x|--exec|run)$/,
  uv: /^run$/,
  poetry: /^run$/,
  bundle: /^exec$/,
};
const ONLY_RUNS = new Set(['uv', 'poetry', 'bundle']);
/** Searches that also look into dependencies. */
const SEARCHES_ALL: Readonly<Record<string, (words: readonly string[]) => boolean>> = {
  grep: (words) =>
    words.some((word) => /^-\w*[rR]|^--(?:dereference-)?recursive$/.test(word)) &&
    !words.some((word) => word.startsWith('--exclude-dir')) &&
    words
      .filter((word) => !word.startsWith('-'))
      .slice(1)
      .every((word) => /^(?:\.\/?|\*+)$/.test(word)),
  rg: (words) => words.some((word) => /^-\w*u|^--(?:no-ignore|unrestricted)/.test(word)),
};
/** Variables whose values stay inside the project. */
const KNOWN_VARIABLES = /^(?:PWD|CLAUDE_PROJECT_DIR|USER|RANDOM|SECONDS|PIPESTATUS)$/;
/** Words before a command that change how it runs, not which command runs. */
const PREFIX =
  /^(?:sudo|time|nice|nohup|command|exec|env|xvfb-run|timeout|gtimeout|stdbuf|xargs|then|do|else|if|while|until|!|\{|\}|fi|done|for|in|case|esac)$/;
/** Code that reaches a network or starts other programs, in whatever language it is written. */
const REACHES_OUT =
  /\b(?:child_process|exec\w*|spawn\w*|subprocess|popen|system|eval|pip|curl|wget|fetch|http|https|requests|urllib\d?|httpx|aiohttp|axios|got|socket|net|ssh|scp|sftp|rsync|ftp|telnet|nc|ncat|socat|websocket|xmlhttprequest|urlopen|download|smtplib|imaplib|boto3|openai|anthropic)\b/i;
const SEPARATORS = /\|\||&&|[;|&\n()`]|\$\(|<\(|>\(/;
const MOST = 20_000;

/** The words of a simple command, quotes taken off. */
const wordsOf = (command: string): readonly string[] =>
  (command.match(/"(?:[^"\\]|\\.)*"|'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^(["'])([\s\S]*)\1$/, '$2'));

const looksLikePath = (word: string): boolean =>
  /[/\\~]|^\.\.$/.test(word) && !word.startsWith('-') && !/^[sy]([/|#]).*\1[gimpe0-9]*$|^\/[^/]+\/[pdq]$/.test(word);

/** Redirection to `/dev/null`, which prints nothing. */
const isHarmlessPath = (word: string): boolean => /^(?:\d?>+|<)?\/dev\/(?:null|stdout|stderr|stdin|tty)$/.test(word);

/** The words of a command without its prefixes; undefined if a variable is set to a file outside the project. */
function commandWords(part: string, project: string | undefined): readonly string[] | undefined {
  const words = [...wordsOf(part)];
  for (let word = words[0]; word !== undefined; word = words[0]) {
    const value = /^[A-Za-z_]\w*=(.*)$/s.exec(word)?.[1]?.replace(/^(["'])(.*)\1$/s, '$2');
    if (value !== undefined && looksLikePath(value) && !isProjectFile(value, project)) return undefined;
    if (value === undefined && !PREFIX.test(word) && !/^-|^\d+[smhd]?$/.test(word)) break;
    words.shift();
  }
  return words;
}

function isProjectPart(part: string, project: string | undefined): boolean {
  const loop = /^for\s+\w+\s+in\s+(.*)$/s.exec(part)?.[1];
  const words = commandWords(loop === undefined ? part : `ls ${loop}`, project);
  if (words === undefined) return false;
  const [program = '', ...rest] = words;
  if (program === '' || program.startsWith('#')) return true;
  const name = program.replace(/^.*[/\\]/, '');
  const ownScript = (program !== name || /\.(?:py|rb|sh|[cm]?[jt]s)$/.test(name)) && isProjectFile(program, project) && !/(?:^|\/)bin\//.test(program);
  const paths = rest.map((word) => word.replace(/^(?:\d?>+|<|@|--?[\w-]+=)/, '')).filter((word) => looksLikePath(word) && !isHarmlessPath(word));
  if (!paths.every((path) => isProjectFile(path, project))) return false;
  if (name === 'cd' && (rest.length === 0 || rest[0] === '-')) return false;
  if (name === 'go' && rest.some((word) => word.includes('@'))) return false;
  if (SEARCHES_ALL[name === 'egrep' || name === 'fgrep' ? 'grep' : name]?.(rest) === true) return false;
  const runs = rest.findIndex((word) => RUNS_COMMAND[name]?.test(word) === true);
  if (runs >= 0 && !isProjectPart(rest.slice(runs + 1).join(' '), project)) return false;
  if (ONLY_RUNS.has(name)) return runs >= 0;
  const first = rest.find((word) => !word.startsWith('-')) ?? rest[0] ?? '';
  if (Object.hasOwn(SUBCOMMANDS, name)) return SUBCOMMANDS[name]?.test(first) === true;
  if (LOCAL.has(name) || ownScript) return true;
  const inner = SHELLS.test(name) ? rest[rest.findIndex((word) => /^-\w*c$/.test(word)) + 1] : undefined;
  if (inner !== undefined && rest.some((word) => /^-\w*c$/.test(word))) return isProjectCommand(inner, project);
  return INTERPRETERS.test(name) && !REACHES_OUT.test(part);
}

/** Whether every variable in a command gets its value in the same command. */
function knowsVariables(command: string): boolean {
  const filled = command.replace(/'[^']*'/g, '');
  return [...filled.matchAll(/\$\{?([A-Za-z_]\w*)/g)].every(
    ([, name = '']) => KNOWN_VARIABLES.test(name) || new RegExp(`(?:^|[\\s;&|(])(?:${name}=|for\\s+${name}\\s|read\\s+(?:-\\w+\\s+)*${name}\\b)`).test(filled),
  );
}

/**
 * Whether a shell command only works on the project: every part of it is a known local command, a test or build run, or a script of the project, names no
 * file elsewhere and nothing of a network. Everything else may print what others wrote.
 */
export function isProjectCommand(command: string, project?: string): boolean {
  if (command.length > MOST) return false;
  // The text of a commit or a search is not run, so that it may name anything.
  const run = command.replace(/(?:-m|--message|-e|--grep)[= ]?(?:"(?:[^"\\`$]|\\.)*"|'[^']*')/g, (text) => (text.startsWith('-e') ? text : '-m x'));
  return !run.includes('://') && knowsVariables(run) && run.split(SEPARATORS).every((part) => isProjectPart(part.trim(), project));
}
