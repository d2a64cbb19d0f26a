import { ok, refuse, type Result } from '../../../../core/result.ts';
import type { OfferedSetting } from '../../../../app/config/adopt.ts';
import type { Settings } from '../../../../app/config/settings.ts';
import type { Cli, Command, CommandOutput, CommandResult } from '../../command.ts';
import { inert, inertJson } from '../../paint.ts';
import { unknownAction } from '../../errors.ts';

export const configCommand: Command = {
  name: 'config',
  about: 'Shows every setting with its value and where it comes from, or changes one.',
  positionals: '[list | get KEY | set KEY VALUE | unset KEY | adopt [KEY…]]',
  crosses: true,
  options: [
    { name: 'user', about: 'change it for all projects, in ~/.claude/settings.json' },
    { name: 'all', about: "with adopt: adopt every setting of the project's own memory-config.json" },
  ],
  examples: [
    ['holdfast config', 'all settings'],
    ['holdfast config set categories.session_summary.max_retained 10', 'for this project'],
    ['holdfast config set inject.startTokens 800 --user', 'for every project'],
    ['holdfast config adopt', "what the project's own memory-config.json sets, and which of it applies"],
    ['holdfast config adopt categories.session_summary.max_retained', 'adopt this one'],
  ],
  run: async (cli, args) => {
    const [word = 'list', key, ...rest] = args.positionals;
    const level = args.flag('user') ? 'user' : 'project';
    const { paint } = cli;
    const settings = await cli.settings();
    if (word === 'list') {
      const rows = settings.list();
      return ok({
        json: { ok: true, settings: rows },
        lines: rows.map(({ key: name, value, source }) => `${name.padEnd(44)} ${inertJson(value)}${source === 'default' ? '' : paint.yellow(`  (${source})`)}`),
        warnings: settings.warnings(),
      });
    }
    if (word === 'adopt') return adopt(cli, settings, args.flag('all') ? 'all' : args.positionals.slice(1));
    if (!['get', 'set', 'unset'].includes(word))
      return refuse('USAGE_ERROR', unknownAction('config', word, ['list', 'get', 'set', 'unset', 'adopt']), { hint: 'holdfast config --help' });
    if (key === undefined) return refuse('USAGE_ERROR', `config ${word} needs a key.`, { hint: 'holdfast config list shows all keys' });
    if (word === 'get') {
      const found = settings.get(key);
      return found.ok ? ok({ json: { ok: true, key, ...found.value }, lines: [inertJson(found.value.value)] }) : found;
    }
    const allowed = settings.isByPerson(key) ? mayChange(cli, key) : ok(undefined);
    if (!allowed.ok) return allowed;
    if (word === 'set') {
      if (rest.length === 0)
        return refuse('USAGE_ERROR', `config set ${key} needs a value.`, { hint: `holdfast config get ${key} --json shows which values it takes` });
      const set = await settings.set(key, rest.join(' '), level);
      return set.ok
        ? ok({ json: { ok: true, key, ...set.value }, lines: [`${key} = ${inertJson(set.value.value)}`, `  ${paint.dim(inert(set.value.file))}`] })
        : set;
    }
    const unset = await settings.unset(key, level);
    return unset.ok
      ? ok({ json: { ok: true, key, ...unset.value }, lines: [`${key} is reset to its default`, `  ${paint.dim(inert(unset.value.file))}`] })
      : unset;
  },
};

/** Only a person changes settings that start a program or name an endpoint: a page or a repository may have told an agent to. */
function mayChange({ caller }: Cli, key: string): Result<void> {
  if (caller === 'person') return ok(undefined);
  const why = caller === 'agent' ? 'so an agent cannot change it' : 'and there is no terminal';
  return refuse('CONFIG_ERROR', `${key} starts a program or decides where text is sent, ${why}.`, {
    hint: 'run the same `holdfast config` command in a terminal of your own, or edit the settings file yourself',
    fields: [key],
  });
}

/** Shows the settings in the project's own config, or adopts some. They come with the repository, so only a person adopts them. */
async function adopt(cli: Cli, settings: Settings, keys: readonly string[] | 'all'): Promise<CommandResult> {
  const { offered, unknown } = settings.offered();
  const chosen = keys === 'all' ? offered.filter(({ why, isByPerson }) => why !== undefined && !isByPerson).map(({ key }) => key) : keys;
  if (chosen.length === 0) return ok(offerOutput(cli, offered, unknown));
  if (cli.caller === 'agent')
    return refuse('CONFIG_ERROR', 'Only the user adopts settings that came with the code; an agent cannot.', {
      hint: `run \`holdfast config adopt ${keys === 'all' ? '--all' : chosen.join(' ')}\` in a terminal of your own`,
    });
  const guarded = chosen.find((key) => settings.isByPerson(key));
  const allowed = guarded === undefined ? ok(undefined) : mayChange(cli, guarded);
  if (!allowed.ok) return allowed;
  const adopted = await settings.adopt(chosen);
  if (!adopted.ok) return adopted;
  return ok({
    json: { ok: true, adopted: adopted.value.map(({ key, value }) => ({ key, value })) },
    lines: adopted.value.map(({ key, value }) => `${key} = ${inertJson(value)}`),
  });
}

function offerOutput({ paint }: Cli, offered: readonly OfferedSetting[], unknown: readonly string[]): CommandOutput {
  const open = offered.filter(({ why }) => why !== undefined);
  const line = ({ key, value, now, why }: OfferedSetting): string =>
    `${why === undefined ? paint.green('counts ') : paint.yellow('ignored')} ${key.padEnd(44)} ${inertJson(value)}${why === undefined ? '' : paint.dim(`  your value: ${inertJson(now)} (${inert(why.replace(/; it is ignored$/, ''))})`)}`;
  return {
    json: { ok: true, offered, unknown },
    lines: [
      ...(offered.length === 0 ? ['The project has no memory-config.json of its own, or it sets nothing that Holdfast knows.'] : offered.map(line)),
      ...unknown.map((key) => `${paint.yellow('unknown')} ${inert(key)}`),
      ...(open.length === 0 ? [] : ['Adopt single settings with `holdfast config adopt KEY…`, or all of them with `--all`.']),
    ],
  };
}
