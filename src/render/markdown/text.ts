import { withoutMarkers } from '../../core/record/conflict-markers.ts';

const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Text as a Markdown body can show it: one kind of line end, no control characters, nothing that UTF-8 cannot hold, no line that passes for a conflict. */
export const visible = (text: string): string => withoutMarkers(text.replace(/\r\n?/g, '\n').replace(UNSEEN, '\ufffd'));

export const isBlankLine = (line: string): boolean => line.trim() === '';

/** Without the blank lines around it, which a Markdown section does not keep. */
export function trimBlank(text: string): string {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => !isBlankLine(line));
  return first < 0 ? '' : lines.slice(first).join('\n').trimEnd();
}
