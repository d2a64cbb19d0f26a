/** Claude's newest tokeniser takes 2.4 characters of English or code to a token, and two tokens to a Chinese character; others take fewer tokens. */
const PLAIN_PER_TOKEN = 2.4;
const TOKENS_PER_OTHER = 2;

/** Tokens that a text takes, guessed on the high side: a budget is better kept by too much than broken by too little. */
export function estimateTokens(text: string): number {
  let plain = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) < 0x80) plain++;
  return Math.ceil(plain / PLAIN_PER_TOKEN + (text.length - plain) * TOKENS_PER_OTHER);
}
