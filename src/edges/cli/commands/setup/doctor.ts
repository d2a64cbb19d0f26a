import { diagnose } from '../../../../app/memory-files/diagnose.ts';
import type { Memory } from '../../../../app/memory/memory.ts';
import { findProblems, type Finding } from '../../../../app/read/doctor.ts';
import { unmergedOfUser } from '../../../../app/read/shared-findings.ts';
import { secretFinding } from '../../../../app/read/secret-finding.ts';
import { statusOfMemory } from '../../../../app/read/status.ts';
import { switchOf } from '../../../../app/project/switch.ts';
import { ok } from '../../../../core/result.ts';
import type { Cli, Command } from '../../command.ts';
import { inert } from '../../paint.ts';
import { plural } from '../../present/format.ts';
import { clientFindings, clientLines, isSet } from '../../present/client-states.ts';
import { cloneFindings } from '../projects/join.ts';
import { embeddingFindings, hookFindings, hookRunLines } from '../../present/hook-health.ts';
import { excludedFindings, type DiskUsage, usageFindings, usageLines } from '../../present/disk-usage.ts';

/** Why CLAUDE.md and MEMORY.md cannot be loaded completely or written. */
async function memoryFileFindings(cli: Cli): Promise<readonly Finding[]> {
  const { memory, owner, sources, file, unwritable } = await cli.hierarchy();
  const [enabled, autoLoad] = [memory.config.get('enabled'), memory.config.get('autoLoad')];
  const { findings, files } = await diagnose({ owner, sources, file, enabled, autoLoad, unwritable: undefined });
  const why = unwritable();
  // A home may be read-only on purpose, so this is a note, not a problem.
  const closed: Finding[] =
    why === undefined ? [] : [{ level: 'note', what: `MEMORY.md cannot be updated: ${why}`, mend: 'check the permissions of the folder' }];
  const known = new Set(memory.index.files().map((indexed) => memory.store.absolute(indexed)));
  const secrets = files.flatMap((layer) => (known.has(layer.file) ? [] : secretFinding(layer.file, layer.secrets)));
  return [...findings.filter(({ level }) => level === 'problem'), ...closed, ...secrets];
}

export const doctorCommand: Command = {
  name: 'doctor',
  about: 'Finds problems and says how to fix them. Exits with 1 if there is a problem.',
  positionals: '',
  most: 0,
  options: [{ name: 'user', about: 'check your user memory, not the project' }],
  examples: [['holdfast doctor', 'files, index, views, settings, hooks, stale records, sizes, budgets, client']],
  run: async (cli, args) => {
    const { memory, project } = await cli.open(args.flag('user') ? 'user' : 'project');
    const log = await cli.hookLog();
    const clients = project ? (await cli.setup()).states() : [];
    const diskUsage = project && (await diskUsageOf(cli, memory, log.lastRuns().length > 0 || clients.some(isSet)));
    const examined = [...(await findProblems(memory)), ...(project ? await unmergedOfUser((await cli.open('user')).memory) : [])];
    const layers = project ? await memoryFileFindings(cli) : [];
    const findings = [
      ...examined,
      ...layers.filter(({ where }) => where === undefined || !examined.some((finding) => finding.where === where)),
      ...(await embeddingFindings(cli, memory)),
      ...(project ? await excludedFindings(cli) : []),
      ...(project ? await cloneFindings(cli) : []),
      ...hookFindings(log, cli.now()),
      ...clientFindings(clients, log.lastRuns()),
      ...(diskUsage ? usageFindings(diskUsage) : []),
    ];
    const problems = findings.filter(({ level }) => level === 'problem').length;
    const { paint } = cli;
    return ok({
      json: {
        ok: problems === 0,
        project: project ?? null,
        findings,
        hooks: { seen: log.lastRuns(), failed: log.failures() },
        clients,
        ...(diskUsage && { weighed: diskUsage }),
      },
      exit: problems === 0 ? 0 : 1,
      lines: [
        ...(project
          ? [
              `project ${paint.bold(project.key)} (${project.hash}) at ${inert(project.path)}`,
              `files   ${inert(project.privateRoot)}`,
              ...hookRunLines(log, cli.now()).map(inert),
              ...(diskUsage ? usageLines(diskUsage).map(inert) : []),
              ...clientLines(clients, log.lastRuns()).map(inert),
              '',
            ]
          : []),
        ...findings.flatMap(({ level, what, where, mend: fix }) => [
          `${level === 'problem' ? paint.red('problem') : paint.yellow('note')} ${inert(what)}`,
          ...(where ? [`  ${inert(where)}`] : []),
          `  ${paint.dim(inert(fix))}`,
        ]),
        problems === 0 ? paint.green('no problems found') : `${plural(problems, 'problem')} found`,
      ],
    });
  },
};

async function diskUsageOf(cli: Cli, memory: Memory, hasClient: boolean): Promise<DiskUsage> {
  const { config } = memory;
  const { on, because } = switchOf(config, (await statusOfMemory(memory)).session?.active === true);
  const tokens = (await cli.drafting()).tokens(memory);
  return { ...(await cli.inventory()), archiveLimit: config.get('archive.maxBytes'), tokens, memory: { on, because }, hasClient };
}
