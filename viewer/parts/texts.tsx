import { useMemo } from 'preact/hooks';
import { htmlOf } from '../markdown.ts';
import { shownTime, withoutEmptySections } from '../shown.ts';

/** A memory's Markdown, sanitised. */
export function Markdown({ text }: { readonly text: string }) {
  const html = useMemo(() => htmlOf(text), [text]);
  return <div class="markdown" dangerouslySetInnerHTML={{ __html: html }} />;
}

const lineClass = (line: string): string =>
  line.startsWith('+++') || line.startsWith('---') || line.startsWith('===')
    ? 'file'
    : line.startsWith('@@')
      ? 'place'
      : line.startsWith('+')
        ? 'added'
        : line.startsWith('-')
          ? 'removed'
          : 'same';

/** A unified diff, a line each. */
export function Diff({ text }: { readonly text: string }) {
  if (text.trim() === '') return <p class="quiet">The texts are the same.</p>;
  return (
    <pre class="diff" tabIndex={0}>
      {text
        .trimEnd()
        .split('\n')
        .map((line) => (
          <span class={lineClass(line)}>{`${line}\n`}</span>
        ))}
    </pre>
  );
}

const INSTANT = /\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)/g;
const BOLD = /(?<![\w/*])\*\*(?=\S)([^*\n]+?)(?<=\S)\*\*(?![\w/*])/g;
/** A line that is a row of a table, or several that were joined. */
const TABLE = /^(?:\||.*\|\s*:?-{2,}).*$/gm;

const cellsOf = (row: string): string =>
  row
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => !/^[:-]*$/.test(cell))
    .join(' · ');

/** Text of a memory without the marks of Markdown, its instants in the reader's own time; backticks stay. */
const plainText = (text: string): string =>
  text
    .replaceAll(/^#{1,6} /gm, '')
    .replaceAll(BOLD, '$1')
    .replaceAll(TABLE, cellsOf)
    .replaceAll(INSTANT, shownTime);

/** One line of a memory, with text between backticks as code. */
export const Inline = ({ text }: { readonly text: string }) => (
  <>
    {plainText(text)
      .split(/`([^`\n]+)`/)
      .map((part, at) => (at % 2 === 1 ? <code>{part}</code> : part))}
  </>
);

/** The Markdown of a record's file, without its front matter. */
export const bodyOfFile = (text: string): string => text.replace(/^\uFEFF?---\r?\n[\s\S]*?\r?\n---\r?\n/, '').trim();

/** The text of a record, without the title above it, with dates in the reader's own time. */
export const RecordText = ({ body }: { readonly body: string }) => (
  <Markdown text={withoutEmptySections(body.replace(/^# .*\n+/, '')).replace(/^\*\*Date\*\*: .*$/m, (line) => line.replaceAll(INSTANT, shownTime))} />
);

/** A text with the words of a query marked. Words are matched by their beginning, as search does. */
export function Marked({ text, query }: { readonly text: string; readonly query: string }) {
  const parts = useMemo(() => markedParts(plainText(text).replaceAll('`', ''), query), [text, query]);
  return <>{parts.map(({ isHit, part }) => (isHit ? <mark>{part}</mark> : part))}</>;
}

function markedParts(text: string, query: string): readonly { readonly part: string; readonly isHit: boolean }[] {
  const stems = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [])].map((word) =>
    word.length > 4 ? word.replace(/(?:ing|ed|es|s)$/, '') : word,
  );
  if (stems.length === 0) return [{ part: text, isHit: false }];
  return text.split(/([\p{L}\p{N}_]+)/u).map((part) => ({ part, isHit: stems.some((stem) => part.toLowerCase().startsWith(stem)) }));
}
