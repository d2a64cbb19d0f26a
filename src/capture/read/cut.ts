const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

/** A long text without its middle: two thirds from the head, the rest from the tail, at line ends where one is near, with a note of what went. */
export function cutMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = atLineEnd(text, Math.floor((limit * 2) / 3), limit >> 3);
  const tail = atLineStart(text, text.length - (limit - Math.floor((limit * 2) / 3)), limit >> 3);
  return `${text.slice(0, head)}\n[… ${tail - head} characters cut …]\n${text.slice(tail)}`;
}

function atLineEnd(text: string, at: number, slack: number): number {
  const newline = text.lastIndexOf('\n', at);
  if (newline > at - slack) return newline;
  return isHighSurrogate(text.charCodeAt(at - 1)) ? at - 1 : at;
}

function atLineStart(text: string, at: number, slack: number): number {
  const newline = text.indexOf('\n', at);
  if (newline >= 0 && newline < at + slack) return newline + 1;
  return isHighSurrogate(text.charCodeAt(at - 1)) ? at + 1 : at;
}
