/** The marks by which Holdfast recognises its own text. Every injection is fenced with them, and capture removes fenced text. */
const FENCE_TAG = 'holdfast-memory';
export const FENCE_OPEN = `<${FENCE_TAG}`;
export const FENCE_CLOSE = `</${FENCE_TAG}>`;
/** Gemini CLI and Qwen Code escape a hook's text beside the result of a tool. */
const ESCAPED_OPEN = `&lt;${FENCE_TAG}`;
const ESCAPED_CLOSE = `&lt;/${FENCE_TAG}&gt;`;
const BREADCRUMB_OPEN = '<!-- MEMORY_BREADCRUMB:';
const BREADCRUMB_CLOSE = '-->';

/**
 * A text without Holdfast's injections. A block without its end is removed up to the end of the text, one without its start from the start of the text:
 * losing a few words is better than saving injected text again.
 */
export function stripInjected(text: string): string {
  if (!text.includes(FENCE_TAG) && !text.includes(BREADCRUMB_OPEN)) return text;
  const unfenced = withoutFence(text, FENCE_OPEN, FENCE_CLOSE);
  const whole = unfenced.includes(FENCE_TAG) ? withoutFence(unfenced, ESCAPED_OPEN, ESCAPED_CLOSE) : unfenced;
  return dropSpans(whole, BREADCRUMB_OPEN, BREADCRUMB_CLOSE).trim();
}

function withoutFence(text: string, open: string, close: string): string {
  const unfenced = dropSpans(text, open, close);
  const orphan = unfenced.lastIndexOf(close);
  return orphan < 0 ? unfenced : unfenced.slice(orphan + close.length);
}

/** Whether a tool belongs to Holdfast's server, under any client's naming. Its answers come from memory. */
export const isOwnTool = (name: string): boolean => /^mcp__plugin_memory_|(?:^|_)holdfast(?:[_-]|$)/.test(name);

const PRINTS_MEMORY = 'brief|candidate|context|diff|drafts|export|get|log|messages|recall|report|search|show|summarize|synthesize|timeline|triage|user|why';
const OWN_COMMAND = new RegExp(`(?:^|[\\s;&|(/])holdfast(?:\\.cmd)?\\s+(?:-\\S+\\s+)*(?:${PRINTS_MEMORY})\\b`);

/** A shell command that prints memory: `holdfast recall …`, also behind `npx` or a path. */
export const isOwnCommand = (command: string): boolean => command.includes('holdfast') && OWN_COMMAND.test(command);

function dropSpans(text: string, open: string, close: string): string {
  let out = '';
  let from = 0;
  for (;;) {
    const start = text.indexOf(open, from);
    if (start < 0) return from === 0 ? text : out + text.slice(from);
    out += text.slice(from, start);
    const end = text.indexOf(close, start);
    if (end < 0) return out;
    from = end + close.length;
  }
}
