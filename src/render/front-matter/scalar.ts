/** The few YAML words that Holdfast writes without quotes; everything else it writes as a JSON string, which YAML reads alike. */

const PLAIN = /^[A-Za-z][A-Za-z0-9_./@+-]*(?: [A-Za-z0-9_./@(][A-Za-z0-9_./@+()-]*)*$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/;
const RESERVED = new Set(['null', 'true', 'false', 'yes', 'no', 'on', 'off', 'y', 'n']);
export const PLAIN_KEY = /^[a-z][a-z0-9_]*$/;

/** Whether every YAML reader takes the bare text for that same text. */
export const isPlain = (text: string): boolean => (PLAIN.test(text) && !RESERVED.has(text.toLowerCase())) || INSTANT.test(text);

const NOT_PRINTABLE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** JSON on one line with nothing in it that a YAML reader may refuse or change. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value).replace(NOT_PRINTABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
