import { examine } from '../../../app/read/doctor.ts';
import { ok } from '../../../core/result.ts';
import type { Command } from '../command.ts';
import { inert } from '../paint.ts';
import { embeddingFindings } from '../present/embedded.ts';
import { hookFindings, hooksSeen } from '../present/hooked.ts';

export const doctor: Command = {
  name: 'doctor',
  about: 'Shows what is wrong and how to mend it; exits with 1 when something is.',
  positionals: '',
  most: 0,
  options: [{ name: 'user', about: 'your own memory' }],
  examples: [['holdfast doctor', 'files, index, views, settings, hooks, stale records']],
  run: async (cli, args) => {
    const { memory, project } = await cli.open(args.flag('user') ? 'user' : 'project');
    const log = await cli.hookLog();
    const findings = [...(await examine(memory)), ...(await embeddingFindings(cli, memory)), ...hookFindings(log, cli.now())];
    const problems = findings.filter(({ level }) => level === 'problem').length;
    const { paint } = cli;
    return ok({
      json: { ok: problems === 0, project: project ?? null, findings, hooks: { seen: log.seen(), failed: log.failures() } },
      exit: problems === 0 ? 0 : 1,
      lines: [
        ...(project
          ? [
              `project ${paint.bold(project.key)} (${project.hash}) at ${inert(project.path)}`,
              `memory  ${inert(project.privateRoot)}`,
              ...hooksSeen(log, cli.now()).map(inert),
              '',
            ]
          : []),
        ...findings.flatMap(({ level, what, where, mend }) => [
          `${level === 'problem' ? paint.red('problem') : paint.yellow('note')} ${inert(what)}`,
          ...(where ? [`  ${inert(where)}`] : []),
          `  ${paint.dim(inert(mend))}`,
        ]),
        problems === 0 ? paint.green('no problems found') : `${problems} problem${problems === 1 ? '' : 's'} found`,
      ],
    });
  },
};
