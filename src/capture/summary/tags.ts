/** Words that say nothing of what a text is about. */
const EMPTY = new Set(
  [
    'about above after again also always because been before being below between both could does done each even every file files from',
    'have here into just like line lines make more most need never only other over same should some such than that their them then',
    'there these they this those through under until update updated using very want were what when where which while will with would',
    'your',
  ].flatMap((line) => line.split(' ')),
);
const MAX_TAGS = 6;

/** Tags from the names of files and the rarer words of a text. */
export function tagsFor(text: string, files: readonly string[]): string[] {
  const stems = files.slice(0, 3).map((file) => (file.split('/').at(-1) ?? '').replace(/\.[\w.]+$/, '').toLowerCase());
  const words = (text.toLowerCase().match(/[\p{L}][\p{L}\p{N}-]{3,24}/gu) ?? []).filter((word) => !EMPTY.has(word));
  const tags = [...new Set([...words.slice(0, 4), ...stems])].filter((tag) => tag.length > 2 && tag.length <= 40);
  return tags.length === 0 ? ['session'] : tags.slice(0, MAX_TAGS);
}
