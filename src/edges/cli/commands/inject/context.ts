import { contextBlock, injectIntoPrompt, subagentPrompt } from '../../../../app/memory-files/block.ts';
import { diagnose } from '../../../../app/memory-files/diagnose.ts';
import { type Hierarchy, mergeLayers } from '../../../../app/memory-files/layers.ts';
import { type LayerFile, loadLayers, noteLoad } from '../../../../app/memory-files/load.ts';
import { charactersIn } from '../../../../app/memory-files/compress.ts';
import { ok, refuse } from '../../../../core/result.ts';
import type { Cli, Command, CommandResult } from '../../command.ts';
import { inert } from '../../paint.ts';

export const contextCommand: Command = {
  name: 'context',
  about: 'Prints CLAUDE.md and MEMORY.md of the home and of the project, merged; the project overrides the home.',
  positionals: '',
  most: 0,
  options: [
    { name: 'block', about: 'print it as an agent gets it: with project, session and time' },
    { name: 'session', value: 'S', about: 'the session id in the block' },
    { name: 'prompt', value: 'FILE', about: 'insert the block into this prompt, before its ## Task; - reads standard input' },
    { name: 'task', value: 'TEXT', about: 'print a complete prompt for a subagent: rules, memory and this task' },
    { name: 'auto', about: 'print nothing if enabled or autoLoad is false, as at a session start' },
    { name: 'check', about: 'find out why memory does not load: path, hash, files, sizes, permissions, backup' },
  ],
  examples: [
    ['holdfast context', 'what a session loads'],
    ['holdfast context --block --session 3f2a', 'the block for an orchestrator'],
    ['holdfast context --check', 'if nothing loads, or an update fails'],
  ],
  run: async (cli, args) => {
    const [prompt, task, session] = [args.text('prompt'), args.text('task'), args.text('session')];
    if (prompt !== undefined && task !== undefined) return refuse('USAGE_ERROR', 'Use --prompt or --task, not both.');
    const hierarchy = await cli.hierarchy();
    if (args.flag('check')) return check(cli, hierarchy);
    const { config } = hierarchy.memory;
    const off = args.flag('auto') ? (['enabled', 'autoLoad'] as const).find((key) => !config.get(key)) : undefined;
    const loaded = off === undefined ? await loadLayers(hierarchy.sources, config.get('maxMemorySize')) : { layers: {}, files: [], warnings: [] };
    if (off === undefined) await noteLoad(hierarchy.file, loaded.files);
    const memory = mergeLayers(loaded.layers);
    const { projectPath } = hierarchy.owner;
    const block = contextBlock({ project: projectPath.split(/[/\\]/).at(-1), session, at: cli.now(), memory });
    let text = memory;
    if (task !== undefined) text = subagentPrompt(memory, task);
    else if (prompt !== undefined) {
      const read = await cli.readInput(prompt);
      if (!read.ok) return read;
      text = memory === '' ? read.value : injectIntoPrompt(read.value, block);
    } else if (args.flag('block') && memory !== '') text = block;
    return ok({
      json: {
        ok: true,
        text,
        characters: charactersIn(memory),
        files: loaded.files,
        ...(off !== undefined && { silence: `${off} is false` }),
        warnings: loaded.warnings,
      },
      lines: text === '' ? [] : [inert(text).replace(/\n$/, '')],
      warnings: [...loaded.warnings, ...(text === '' && off === undefined ? ['There is no CLAUDE.md and no MEMORY.md to print.'] : [])],
    });
  },
};

const layerLine = ({ name, file, state, characters }: LayerFile): string =>
  `  ${name.padEnd(15)} ${state.padEnd(10)} ${String(characters).padStart(7)}  ${inert(file)}`;

async function check(cli: Cli, { memory, owner, sources, file, unwritable }: Hierarchy): Promise<CommandResult> {
  const { paint } = cli;
  const found = await diagnose({
    owner,
    sources,
    file,
    enabled: memory.config.get('enabled'),
    unreadable: memory.config.unreadable,
    autoLoad: memory.config.get('autoLoad'),
    unwritable: unwritable(),
  });
  const problems = found.findings.filter(({ level }) => level === 'problem').length;
  return ok({
    json: { ok: problems === 0, ...found },
    exit: problems === 0 ? 0 : 1,
    lines: [
      `project ${paint.bold(inert(owner.projectKey))} (${owner.projectHash}) at ${inert(owner.projectPath)}`,
      `MEMORY.md ${inert(found.memoryFile)}, backup ${found.backup === null ? 'none' : inert(found.backup)}`,
      `${found.characters} characters in total, at most ${found.limit} per file; module ${found.version}, orchestrator ${found.orchestrators.join(' or ')}`,
      ...found.files.map(layerLine),
      ...found.findings.flatMap(({ level, what, mend: fix }) => [
        `${level === 'problem' ? paint.red('problem') : paint.yellow('note')} ${inert(what)}`,
        `  ${paint.dim(inert(fix))}`,
      ]),
    ],
  });
}
