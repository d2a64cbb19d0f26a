/** One stretch of a line in one colour. @typedef {{ text: string, fill: string, back?: string, bold?: boolean }} Span */

const LINE = 19;
const COLUMN = 7.8;
const PLAIN = '#e6edf3';
const ESCAPE = String.fromCharCode(27);
const BASIC = ['#484f58', '#ff7b72', '#7ee787', '#d29922', '#79c0ff', '#d2a8ff', '#76e3ea', '#b1bac4'];

/** @param {string} text */
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A colour of the 256 that terminals number. @param {number} number */
const indexed = (number) => {
  if (number < 16) return BASIC[number % 8] ?? PLAIN;
  const hex = (/** @type {number[]} */ ...parts) => `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
  if (number >= 232) return hex(...Array(3).fill((number - 232) * 10 + 8));
  const cube = (/** @type {number} */ step) => (step === 0 ? 0 : step * 40 + 55);
  const at = number - 16;
  return hex(cube(Math.floor(at / 36)), cube(Math.floor(at / 6) % 6), cube(at % 6));
};

/** The style after the codes of one escape sequence. @param {Omit<Span, 'text'>} before @param {number[]} codes */
const styled = (before, codes) => {
  let style = { ...before };
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    if (code === 0) style = { fill: PLAIN };
    else if (code === 1 || code === 22) style.bold = code === 1;
    else if (code === 39) style.fill = PLAIN;
    else if (code === 49) delete style.back;
    else if (code >= 30 && code <= 37) style.fill = BASIC[code - 30] ?? PLAIN;
    else if (code >= 90 && code <= 97) style.fill = BASIC[code - 90] ?? PLAIN;
    else if (code === 38 || code === 48) {
      const colour = indexed(codes[at + 2] ?? 0);
      if (code === 38) style.fill = colour;
      else style.back = colour;
      at += 2;
    }
  }
  return style;
};

/** Lines of a terminal, as tmux captured them with colours, as spans. @param {string} captured @returns {Span[][]} */
export const spansOf = (captured) => {
  /** @type {Omit<Span, 'text'>} */
  let style = { fill: PLAIN };
  return captured.split('\n').map((line) => {
    /** @type {Span[]} */
    const spans = [];
    for (const [at, part] of line.split(ESCAPE).entries()) {
      const codes = at === 0 ? undefined : /^\[([\d;]*)m/.exec(part);
      if (codes) style = styled(style, (codes[1] ?? '').split(';').map(Number));
      const text = codes ? part.slice(codes[0].length) : part;
      if (text !== '') spans.push({ text, ...style });
    }
    return spans;
  });
};

/** A terminal as SVG. @param {Span[][]} lines @param {string} label @param {number} [columns] */
export const terminalSvg = (lines, label, columns = 110) => {
  const [width, height] = [Math.round(columns * COLUMN) + 40, lines.length * LINE + 40];
  const rows = lines.flatMap((spans, at) => {
    let column = 0;
    return spans.flatMap(({ text, fill, back, bold }) => {
      const x = (20 + column * COLUMN).toFixed(1);
      const [size, top] = [(text.length * COLUMN).toFixed(1), 20 + at * LINE];
      column += text.length;
      const background = back === undefined ? [] : [`<rect x="${x}" y="${top}" width="${size}" height="${LINE}" fill="${back}"/>`];
      if (text.trim() === '') return background;
      return [
        ...background,
        `<text x="${x}" y="${top + 14}" fill="${fill}"${bold === true ? ' font-weight="bold"' : ''} textLength="${size}" xml:space="preserve">${escaped(text)}</text>`,
      ];
    });
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(label)}">`,
    `<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>`,
    '<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13">',
    ...rows,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
};
