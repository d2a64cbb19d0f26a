import { useMemo } from 'preact/hooks';
import { htmlOf } from '../markdown.ts';
import { shownTime } from '../shown.ts';

/** A memory's Markdown, sanitised. */
export function Markdown({ text }: { readonly text: string }) {
  const html = useMemo(() => htmlOf(text), [text]);
  return <div class="markdown" dangerouslySetInnerHTML={{ __html: html }} />;
}

const kindOf = (line: string): string =>
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
          <span class={kindOf(line)}>{`${line}\n`}</span>
        ))}
    </pre>
  );
}

/** One line of a memory as text, what stands between backticks as code. */
export const Inline = ({ text }: { readonly text: string }) => <>{text.split(/`([^`\n]+)`/).map((part, at) => (at % 2 === 1 ? <code>{part}</code> : part))}</>;

const INSTANT = /\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)/;

/** What a record says, without the title that stands above it, its date in the reader's own time. */
export const RecordText = ({ body }: { readonly body: string }) => (
  <Markdown text={body.replace(/^# .*\n+/, '').replace(/^\*\*Date\*\*: .*$/m, (line) => line.replace(INSTANT, shownTime))} />
);

/** A text with the words of a question marked. Words are matched by their beginning, as search does. */
export function Marked({ text, query }: { readonly text: string; readonly query: string }) {
  const parts = useMemo(() => markedParts(text, query), [text, query]);
  return <>{parts.map(({ isHit, part }) => (isHit ? <mark>{part}</mark> : part))}</>;
}

function markedParts(text: string, query: string): readonly { readonly part: string; readonly isHit: boolean }[] {
  const stems = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [])].map((word) =>
    word.length > 4 ? word.replace(/(?:ing|ed|es|s)$/, '') : word,
  );
  if (stems.length === 0) return [{ part: text, isHit: false }];
  return text.split(/([\p{L}\p{N}_]+)/u).map((part) => ({ part, isHit: stems.some((stem) => part.toLowerCase().startsWith(stem)) }));
}
