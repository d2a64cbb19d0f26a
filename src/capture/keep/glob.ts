/** A glob as people write it for files: `*`, `**`, `?`, `[a-z]`, `{a,b}`. One without a slash names a file anywhere. */
export function globPattern(glob: string): RegExp {
  const plain = glob.replaceAll('\\', '/').replace(/^\.\//, '').replace(/\/$/, '/**');
  const anywhere = !plain.includes('/') || plain.startsWith('**/');
  const body = translate(plain.replace(/^\*\*\//, '').replace(/^\/+/, ''));
  // A folder that is named excludes what lies in it.
  return new RegExp(`${anywhere ? '(?:^|/)' : '^'}${body}(?:/.*)?$`, 'i');
}

function translate(glob: string): string {
  let out = '';
  let braces = 0;
  for (let at = 0; at < glob.length; at++) {
    const char = glob[at] as string;
    if (char === '*' && glob[at + 1] === '*') {
      const slash = glob[at + 2] === '/';
      out += slash ? '(?:.*/)?' : '.*';
      at += slash ? 2 : 1;
    } else if (char === '*') out += '[^/]*';
    else if (char === '?') out += '[^/]';
    else if (char === '[' && glob.indexOf(']', at + 2) > 0) {
      const end = glob.indexOf(']', at + 2);
      out += `[${glob
        .slice(at + 1, end)
        .replace(/^!/, '^')
        .replaceAll('\\', '')
        .replaceAll('[', '\\[')}]`;
      at = end;
    } else if (char === '{' && glob.includes('}', at)) {
      braces++;
      out += '(?:';
    } else if (char === '}' && braces > 0) {
      braces--;
      out += ')';
    } else if (char === ',' && braces > 0) out += '|';
    else out += char.replace(/[.+^$()|[\]{}\\]/, '\\$&');
  }
  return out + ')'.repeat(braces);
}
