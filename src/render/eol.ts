/** The line end that most lines of a file have. */
export function eolOf(source: string): '\n' | '\r\n' {
  const all = source.split('\n').length - 1;
  const windows = source.split('\r\n').length - 1;
  return windows * 2 > all ? '\r\n' : '\n';
}
