/** The actions of agents that people make rules about; a record's `applies_to` names these. */
const AGENT_ACTIONS = ['commit', 'push', 'pull-request', 'review', 'merge', 'test', 'lint', 'build', 'release', 'deploy', 'install', 'migrate'] as const;
export type AgentAction = (typeof AGENT_ACTIONS)[number];

const RUNNER = String.raw`(?:npm|pnpm|yarn|bun)(?:\s+run)?\s+`;

/** By the beginning of a command; the first that fits counts. */
const COMMANDS: readonly (readonly [AgentAction, RegExp])[] = [
  ['commit', /^git commit(?![\w-])/],
  ['push', /^git push(?![\w-])/],
  ['merge', /^(?:git (?:merge|rebase|cherry-pick)|gh pr merge|glab mr merge)\b/],
  ['pull-request', /^(?:gh pr (?:create|edit|ready)|glab mr (?:create|update))\b/],
  ['review', /^(?:gh pr (?:review|comment)|glab mr note|gh api \S*\/(?:comments|reviews|replies))\b/],
  ['release', /^(?:(?:npm|pnpm|yarn|bun|cargo) publish|gh release create|git tag (?!-l\b|--list\b)\S|twine upload|goreleaser)\b/],
  [
    'deploy',
    new RegExp(
      `^(?:${RUNNER}deploy|kubectl (?:apply|rollout)|helm (?:upgrade|install)|terraform apply|pulumi up|fly(?:ctl)? deploy|vercel|netlify deploy|make deploy)\\b`,
    ),
  ],
  [
    'migrate',
    new RegExp(`^(?:${RUNNER}\\S*migrat|prisma migrate|alembic (?:upgrade|downgrade)|(?:rails|rake) db:migrate|python3? manage\\.py migrate|make migrate)`),
  ],
  [
    'test',
    new RegExp(
      `^(?:${RUNNER}(?:test|\\S*:test|e2e)|vitest|jest|mocha|playwright test|ava|pytest|python3? -m (?:pytest|unittest)|tox|nox|go test|gotestsum|cargo (?:test|nextest)|mvn (?:\\S+ )*(?:test|verify)|(?:\\./)?gradlew? (?:\\S+ )*\\S*[tT]est|dotnet test|rspec|phpunit|ctest|bats|mix test|swift test|deno test|node --test|make \\S*(?:test|check))(?!\\w|[\\w-]*\\.\\w)`,
    ),
  ],
  [
    'lint',
    new RegExp(
      `^(?:${RUNNER}(?:lint|format|typecheck|check)|eslint|oxlint|biome|prettier|ruff|flake8|black|mypy|pyright|golangci-lint|gofmt|gofumpt|cargo (?:clippy|fmt)|rubocop|shellcheck|pre-commit|make (?:lint|fmt|format))\\b`,
    ),
  ],
  [
    'build',
    new RegExp(
      `^(?:${RUNNER}build|tsc|vite build|next build|go (?:build|vet|generate)|cargo (?:build|check)|mvn (?:\\S+ )*(?:package|compile|install)|(?:\\./)?gradlew? (?:\\S+ )*(?:build|assemble)|dotnet build|docker (?:compose )?build|docker buildx|cmake|ninja|bazel build|make(?: build| all)?)(?=\\s|$)`,
    ),
  ],
  [
    'install',
    /^(?:(?:npm|pnpm|yarn|bun) (?:i|install|ci|add|update)|pip3? install|uv (?:add|sync|pip)|poetry (?:add|install)|go (?:get|mod tidy)|cargo (?:add|update)|bundle install|apt(?:-get)? install|brew install)\b/,
  ],
];

/** Programs that wrap a command without changing what it does. */
const WRAPPER =
  /^(?:\(+|sudo|time|env|nice|command|exec|then|do|else|!|timeout(?:\s+-\S+)*\s+\S+|npx(?:\s+-\S+)*|pnpm exec|bunx|uvx?(?: run)?|poetry run|bundle exec|[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|\S*))\s+/;
/** Options between a program and its verb: `git -C path`, `npm --prefix path`, `go -C path`. */
const PLACE =
  /^(git|npm|pnpm|yarn|go|make|gh)((?:\s+(?:-C|-c|-R|--repo|--prefix|--git-dir|--work-tree|--dir)(?:=|\s+)\S+|\s+(?:-q|-s|--silent|--no-pager|--no-verify))+)\s+/;
const MOST_CHARACTERS = 4_000;

/** The simple commands of a shell line, without quoted text, wrappers and places. */
export function simpleCommands(line: string): readonly string[] {
  return line
    .slice(0, MOST_CHARACTERS)
    .replace(/<<-?\s*(['"]?)(\w+)\1[\s\S]*?(?:\n\s*\2\b|$)/g, ' ')
    .replace(/\\\n/g, ' ')
    .replace(/"(?:[^"\\]|\\.)*(?:"|$)|'[^']*(?:'|$)/g, (quoted) => (/\s/.test(quoted) ? "''" : quoted.slice(1, -1)))
    .split(/&&|\|\|?|;|\n|&(?!\d|>)/)
    .map((part) => {
      let command = part.trim();
      for (let next = command.replace(WRAPPER, ''); next !== command; next = command.replace(WRAPPER, '')) command = next;
      return command.replace(PLACE, '$1 ').replace(/\s+/g, ' ');
    })
    .filter((command) => command !== '');
}

const actionOf = (command: string): AgentAction | undefined => COMMANDS.find(([, pattern]) => pattern.test(command))?.[0];

/** The actions of a shell line that people make rules about. */
export const actionsOf = (line: string): readonly AgentAction[] => [...new Set(simpleCommands(line).flatMap((command) => actionOf(command) ?? []))];

/** The words by which people name an action in a rule. */
const NAMED: readonly (readonly [AgentAction, RegExp])[] = [
  ['commit', /\bcommit(?:s|ted|ting)?\b/i],
  ['push', /\b(?:force-?)?push(?:es|ed|ing)?\b/i],
  ['pull-request', /\b(?:pull requests?|merge requests?|PRs?|MRs?)\b/],
  ['review', /\b(?:review (?:comments?|threads?|feedback)|reply (?:in|to) the (?:thread|comment))\b/i],
  ['merge', /\b(?:merg(?:e|ing)|rebas(?:e|ing)|cherry-pick(?:ing)?)\b/i],
  ['test', /\b(?:run(?:ning)?|execute|skip(?:ping)?|start)\b[^.]{0,40}\b(?:tests?|suite|specs?)\b|\b(?:npm test|go test|pytest|make test)\b/i],
  ['lint', /\b(?:lint(?:s|ed|er|ing)?|gofmt|formatter|prettier|eslint)\b/i],
  ['build', /\b(?:(?:re)?build(?:s|ing)?|compil(?:e|ing))\b/i],
  ['release', /\b(?:releas(?:e|es|ing)|publish(?:es|ing)?|tag(?:ging)? (?:a |the )?(?:version|release))\b/i],
  ['deploy', /\b(?:deploy(?:s|ing|ments?)?|roll(?:ing)? out)\b/i],
  ['install', /\b(?:install(?:s|ing)?|add(?:ing)? (?:a |new )?dependenc(?:y|ies))\b/i],
  ['migrate', /\bmigrations?\b/i],
];

/** The actions that a rule names. */
export const actionsNamed = (rule: string): readonly AgentAction[] => NAMED.filter(([, pattern]) => pattern.test(rule)).map(([action]) => action);
