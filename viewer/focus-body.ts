/** Moves the cursor to the start of a record's text, after its front matter, and scrolls there. */
export function focusBody(area: HTMLTextAreaElement | null): void {
  if (!area) return;
  const body = /^---\n[^]*?\n---\n+/.exec(area.value)?.[0] ?? '';
  const line = Number.parseFloat(getComputedStyle(area).lineHeight);
  area.focus();
  area.setSelectionRange(body.length, body.length);
  area.scrollTop = Math.max(0, body.split('\n').length - 2) * line;
}
