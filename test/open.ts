import type { Clock } from '../src/core/ports/host.ts';
import { openProject as openProjectOn, openUser as openUserOn, type OpenProject } from '../src/app/project/open.ts';
import type { ComposedMemory, LockTimeouts } from '../src/app/memory/open.ts';
import { openRecallContext, type OpenRecallContext } from '../src/app/runtime/open-recall.ts';
import { rankWithMessages } from '../src/app/search/messages.ts';
import { machineAt } from '../src/bin/wiring/machine.ts';
import { openMessages } from '../src/bin/wiring/messages.ts';
import { sessionMachineAt } from '../src/bin/wiring/session-machine.ts';
import type { Result } from '../src/core/result.ts';

interface Where {
  readonly home: string;
  readonly now: Clock;
}

/** The memory of a project under a home, as the programs open it. */
export const openProject = ({
  home,
  now,
  cwd,
  word,
  patience,
}: Where & { readonly cwd: string; readonly word?: string | undefined; readonly patience?: LockTimeouts }): Result<OpenProject> =>
  openProjectOn(machineAt({ home, now }), { cwd, name: word }, { lockTimeouts: patience });

export const openUser = ({ home, now }: Where): ComposedMemory => openUserOn(machineAt({ home, now }));

/** The context that recall needs; with `messages`, it ranks messages of sessions too. */
export const recallContextFor = (opened: OpenProject, { home, now }: Where, messages = false): OpenRecallContext =>
  openRecallContext(sessionMachineAt({ home, now, env: {} }), opened, {}, ...(messages ? [rankWithMessages((key) => openMessages(home, key))] : []));
