import type { Command } from '../command.ts';
import { candidate } from './candidate.ts';
import { config } from './config.ts';
import { context } from './context.ts';
import { doctor } from './doctor.ts';
import { edit } from './edit.ts';
import { embed } from './embed.ts';
import { exportBundle } from './export.ts';
import { feedback } from './feedback.ts';
import { gc } from './gc.ts';
import { log, diff, undo } from './history.ts';
import { hook, mcp } from './hook.ts';
import { init } from './init.ts';
import { retire, restore, archive, unarchive, confirm } from './life.ts';
import { messages } from './messages.ts';
import { rebuild } from './rebuild.ts';
import { rollback } from './rollback.ts';
import { save } from './save.ts';
import { share } from './share.ts';
import { get, show } from './show.ts';
import { status } from './status.ts';
import { timeline } from './timeline.ts';
import { triage } from './triage.ts';
import { update } from './update.ts';
import { write } from './write.ts';

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
