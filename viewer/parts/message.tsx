import type { SessionCall, SessionEntry } from '../../src/edges/http/contract.ts';
import { counted, shownTime } from '../shown.ts';
import { Markdown } from './texts.tsx';

type Message = Extract<SessionEntry, { readonly kind: 'message' }>;

/** A text more than three times as long is folded after so many characters. */
const FOLD_CHARS = 700;
/** Shown unfolded, because the user's answer to it is part of the conversation. */
const QUESTION_TOOL = 'AskUserQuestion';

/** Whether an entry is a message, or has it as the answer to one of its calls. */
export const holdsMessage = (entry: SessionEntry, id: string): boolean =>
  entry.id === id || (entry.kind === 'message' && entry.calls.some(({ answer }) => answer?.id === id));

const Cut = ({ cut }: { readonly cut: number }) => (cut === 0 ? null : <p class="quiet">{counted(cut, 'more character')}; read them with holdfast messages</p>);

/** Where to fold a long text: after a paragraph, outside of code; else after a line, else after a word. */
function foldAt(text: string): number {
  const start = text.slice(0, FOLD_CHARS);
  const isInCode = (start.match(/^```/gm)?.length ?? 0) % 2 === 1;
  const places = isInCode ? [start.lastIndexOf('\n```')] : [start.lastIndexOf('\n\n'), start.lastIndexOf('\n'), start.lastIndexOf(' ')];
  return places.find((at) => at > FOLD_CHARS / 3) ?? FOLD_CHARS;
}

function MessageText({ text, cut }: { readonly text: string; readonly cut: number }) {
  if (text === '') return null;
  if (text.length <= FOLD_CHARS * 3) return <Markdown text={text} />;
  const fold = foldAt(text);
  return (
    <>
      <Markdown text={text.slice(0, fold)} />
      <details class="answer">
        <summary>the rest</summary>
        <Markdown text={text.slice(fold)} />
        <Cut cut={cut} />
      </details>
    </>
  );
}

/** A tool call in one line until it is opened: its input and its answer. */
function Call({ call, isHere }: { readonly call: SessionCall; readonly isHere: boolean }) {
  const { name, input, answer } = call;
  const [first = ''] = input.split('\n', 1);
  return (
    <details class={answer?.hasFailed === true ? 'call failed' : 'call'} open={isHere || name === QUESTION_TOOL}>
      <summary>
        <b>{name}</b> {answer?.hasFailed === true && <span class="badge missing">failed</span>} <code>{first.slice(0, 160)}</code>
      </summary>
      {input !== first && <pre tabIndex={0}>{input}</pre>}
      {answer && answer.text !== '' && (
        <pre class="came-back" tabIndex={0}>
          {answer.text}
        </pre>
      )}
      {answer && <Cut cut={answer.cut} />}
    </details>
  );
}

/** A tool's answer whose call is not in the conversation. */
const AnswerWithoutCall = ({ message, isHere }: { readonly message: Message; readonly isHere: boolean }) => (
  <details class={`message tool${isHere ? ' chosen' : ''}${message.hasFailed ? ' failed' : ''}`}>
    <summary>
      <b>{message.hasFailed ? 'failed' : 'answer'}</b> {message.text.slice(0, 200).split('\n', 1)[0]}
    </summary>
    <pre tabIndex={0}>{message.text}</pre>
    <Cut cut={message.cut} />
  </details>
);

/** A message of a conversation; the one that a link names is marked. */
export function MessageRow({ message, here }: { readonly message: Message; readonly here: string | undefined }) {
  const isHere = here !== undefined && holdsMessage(message, here);
  if (message.role === 'tool') return <AnswerWithoutCall message={message} isHere={isHere} />;
  return (
    <article class={`message ${message.role}${message.isSubagent ? ' subagent' : ''}${isHere ? ' chosen' : ''}`}>
      <header class="line">
        <b>{message.speaker ?? (message.role === 'user' ? 'you' : 'agent')}</b>
        {message.isSubagent && <span class="badge">subagent</span>}
        <span class="grow" />
        {message.at !== undefined && <time dateTime={message.at}>{shownTime(message.at).slice(11)}</time>}
      </header>
      <MessageText {...message} />
      {message.calls.map((call) => (
        <Call call={call} isHere={here !== undefined && call.answer?.id === here} />
      ))}
    </article>
  );
}
