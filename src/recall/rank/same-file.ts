/** Whether two paths name one file; either may be given from anywhere down. */
const isSame = (a: string, b: string): boolean => a === b || a.endsWith(`/${b}`) || b.endsWith(`/${a}`);

/** Those of the files that a record is about. */
export const filesAbout = (files: readonly string[], about: readonly string[]): readonly string[] =>
  about.length === 0 ? [] : files.filter((file) => about.some((other) => isSame(file, other)));
