/** Puts the cursor where the text of a record begins, behind its front matter, and shows that. */
export function focusBody(area: HTMLTextAreaElement | null): void {
  if (!area) return;
  const body = /^---\n[^]*?\n---\n+/.exec(area.value)?.[0] ?? '';
  const line = Number.parseFloat(getComputedStyle(area).lineHeight);
  area.focus();
  area.setSelectionRange(body.length, body.length);
  area.scrollTop = Math.max(0, body.split('\n').length - 2) * line;
}
