import { ADDRESS_RULES } from './address.ts';
import { COOKIE_RULES, HEADER_RULES, privateSpans } from './headers.ts';
import { KEY_RULES, WALLET_RULES } from './keyblock.ts';
import { named } from './named.ts';
import { type LowBytes, type Scanner, scanner } from './scan.ts';
import { SHAPE_RULES } from './shapes.ts';
import { type Redaction, apply, carryBack, merge, outsideMarks } from './span.ts';
import { SPOKEN_RULES } from './spoken.ts';
import { TOKEN_RULES } from './tokens.ts';

export interface Redacted {
  readonly text: string;
  /** Sorted, without overlaps; offsets in the original text. */
  readonly redactions: readonly Redaction[];
}

let built: Scanner | undefined;

/** The table of anchors is built on first use, so that loading this file costs little. */
const scan: Scanner = (text, lowBytes) => {
  built ??= scanner([
    ...KEY_RULES,
    ...TOKEN_RULES,
    ...SHAPE_RULES,
    ...ADDRESS_RULES,
    ...HEADER_RULES,
    ...COOKIE_RULES,
    ...WALLET_RULES,
    ...SPOKEN_RULES,
    named,
  ]);
  return built(text, lowBytes);
};

const spansIn = (text: string, lowBytes?: LowBytes): readonly Redaction[] => outsideMarks(text, merge([...privateSpans(text), ...scan(text, lowBytes)]));

/** The most passes: a replacement can uncover a secret after it, but few texts need a second pass. */
const LOOKS = 12;

/**
 * Takes every secret out of a text. Repeats until nothing is found, so redacting twice changes nothing. A caller with many texts may pass their bytes,
 * which are read faster than characters.
 */
export const redact = (text: string, lowBytes?: LowBytes): Redacted => {
  let redactions = spansIn(text, lowBytes);
  if (redactions.length === 0) return { text, redactions: redactions };
  for (let look = 1; ; look++) {
    const clean = apply(text, redactions);
    const more = look < LOOKS ? carryBack(spansIn(clean), redactions) : [];
    if (more.length === 0) return { text: clean, redactions: redactions };
    redactions = merge([...redactions, ...more]);
  }
};
