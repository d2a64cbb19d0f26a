import type { Message } from '../../core/episode/episode.ts';
import { epochOf, utcSeconds } from '../../core/instant.ts';
import type { InjectedItem, InjectionLog } from '../../core/ports/injection-log.ts';
import { judgeUse, type ShownItem } from '../../recall/use/judge-use.ts';
import { BRIEF_EVENTS } from './brief/brief.ts';

const MOST_INJECTIONS = 500;
const BRIEF: ReadonlySet<string> = new Set(BRIEF_EVENTS);

/** Logs how an ended session used the items that it was shown; judged again if the session goes on. */
export function noteUse(log: InjectionLog, session: string, messages: readonly Message[], now: number): void {
  const shown = new Map<string, ShownItem & Pick<InjectedItem, 'updatedAt'>>();
  for (const { at, event, items } of log.injections(session, MOST_INJECTIONS).toReversed())
    for (const { id, title, text = title, updatedAt } of items) {
      const known = shown.get(id);
      const onlyInBrief = BRIEF.has(event) && known?.onlyInBrief !== false;
      shown.set(id, { id, title, text: known === undefined ? text : `${known.text}\n${text}`, updatedAt, at: known?.at ?? epochOf(at) ?? 0, onlyInBrief });
    }
  if (shown.size === 0) return;
  const judged = judgeUse([...shown.values()], messages);
  log.noteUses(
    session,
    utcSeconds(now),
    [...judged].map(([id, outcome]) => ({ id, outcome, updatedAt: shown.get(id)?.updatedAt ?? '' })),
  );
}
