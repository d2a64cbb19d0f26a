import type { ExcludedSession } from '../../../app/episodes/excluded.ts';
import type { Memory } from '../../../app/memory/memory.ts';
import type { Finding } from '../../../app/read/doctor.ts';
import type { Cli } from '../command.ts';

const SHOWN = 5;

/** Conversations that were archived before `capture.exclude` left out what they hold. Nothing is looked at where nothing is left out. */
export const excludedIn = async (cli: Cli, memory: Memory, remove: boolean): Promise<readonly ExcludedSession[]> =>
  memory.config.get('capture.exclude').length === 0 ? [] : (await cli.episodes()).excluded(remove);

export const excludedLine = ({ sessionId, messages }: ExcludedSession): string => `${sessionId} (${messages} ${messages === 1 ? 'message' : 'messages'})`;

export async function excludedFindings(cli: Cli, memory: Memory): Promise<readonly Finding[]> {
  const found = await excludedIn(cli, memory, false);
  if (found.length === 0) return [];
  const more = found.length > SHOWN ? ` and ${found.length - SHOWN} more` : '';
  return [
    {
      level: 'problem',
      what: `archived conversations hold what capture.exclude leaves out today: ${found.slice(0, SHOWN).map(excludedLine).join(', ')}${more}`,
      mend: "holdfast gc takes it out; the client's own transcripts stay as they are",
    },
  ];
}
