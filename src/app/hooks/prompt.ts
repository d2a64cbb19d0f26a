import { brief } from '../recall/brief/brief.ts';
import { recall } from '../recall/recall.ts';
import { asksBreadcrumb, showsBreadcrumb } from './breadcrumb.ts';
import { type HookAnswer, type HookCall, SILENT } from './call.ts';
import type { HookDesk } from './desk.ts';

/** What is in view of the agent: the replies since the last compaction. */
export type InView = (transcript: string) => Promise<readonly string[]>;

/** A prompt: what memory has to say to it, and recovery where the breadcrumb is gone from view. */
export async function answerPrompt(desk: HookDesk, call: HookCall, inView: InView): Promise<HookAnswer> {
  const { prompt = '', session } = call;
  const recovery = (await isCompacted(desk, call, inView)) && session !== undefined ? await recover(desk, session) : '';
  const recalled = desk.switched.acts('recall')
    ? await recall(desk.memory, desk.bearings, { prompt, ...(session !== undefined && { session }) })
    : { text: '' };
  const context = [recovery, recalled.text].filter((part) => part !== '').join('\n');
  return context === '' ? SILENT : { context };
}

/** The first reply has no breadcrumb before it, so that only one that was there can be missed. */
async function isCompacted(desk: HookDesk, { session, transcript }: HookCall, inView: InView): Promise<boolean> {
  if (session === undefined || transcript === undefined || !asksBreadcrumb(desk) || !desk.switched.acts('load')) return false;
  const { breadcrumb, recovered } = desk.notes.read(session);
  if (breadcrumb !== true || recovered === true) return false;
  return !(await inView(transcript)).some(showsBreadcrumb);
}

async function recover({ memory, bearings, notes }: HookDesk, session: string): Promise<string> {
  const workOf = async (id: string) => notes.read(id).work;
  const { text } = await brief(memory, { workOf, ...bearings }, { event: 'compact', session });
  notes.change(session, { recovered: true, breadcrumb: false });
  return text;
}
