import type { Command } from '../command.ts';
import { candidate } from './scripts/candidate.ts';
import { config } from './setup/config.ts';
import { context } from './inject/context.ts';
import { doctor } from './setup/doctor.ts';
import { edit } from './remember/edit.ts';
import { embed } from './setup/embed.ts';
import { exportBundle } from './transfer/export.ts';
import { feedback } from './inject/feedback.ts';
import { gc } from './remember/gc.ts';
import { log, diff, undo } from './history/history.ts';
import { hook, mcp } from './scripts/hook.ts';
import { init } from './setup/init.ts';
import { retire, restore, archive, unarchive, confirm } from './remember/status-commands.ts';
import { messages } from './find/messages.ts';
import { rebuild } from './setup/rebuild.ts';
import { rollback } from './work/rollback.ts';
import { save } from './remember/save.ts';
import { share } from './remember/share.ts';
import { get, show } from './find/show.ts';
import { status } from './projects/status.ts';
import { timeline } from './find/timeline.ts';
import { triage } from './conversations/triage.ts';
import { update } from './work/update.ts';
import { write } from './scripts/write.ts';

/** The commands about records, conversations and the program itself; those of the day are in daily.ts, rare ones in seldom.ts, and some have a bundle of their own (every.ts). */
export const ALL: Readonly<Record<string, Command>> = {
  save,
  context,
  update,
  rollback,
  feedback,
  embed,
  export: exportBundle,
  messages,
  timeline,
  triage,
  get,
  show,
  edit,
  retire,
  restore,
  archive,
  unarchive,
  confirm,
  share,
  gc,
  log,
  diff,
  undo,
  write,
  candidate,
  status,
  rebuild,
  config,
  doctor,
  init,
  mcp,
  hook,
};
