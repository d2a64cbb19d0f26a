import type { ExcludedSession } from '../../../app/episodes/excluded.ts';
import type { Finding } from '../../../app/read/doctor.ts';
import type { Cli } from '../command.ts';

const SHOWN = 5;

export const excludedLine = ({ sessionId, messages }: ExcludedSession): string => `${sessionId} (${messages} ${messages === 1 ? 'message' : 'messages'})`;

/** Conversations that were archived before `capture.exclude` excluded some of their messages. */
export async function excludedFindings(cli: Cli): Promise<readonly Finding[]> {
  const found = await cli.excluded(false);
  if (found.length === 0) return [];
  const more = found.length > SHOWN ? ` and ${found.length - SHOWN} more` : '';
  return [
    {
      level: 'problem',
      what: `Archived conversations contain what capture.exclude excludes: ${found.slice(0, SHOWN).map(excludedLine).join(', ')}${more}`,
      mend: "remove it with holdfast gc; the client's own transcripts stay",
    },
  ];
}
