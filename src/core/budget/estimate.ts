const ASCII_PER_TOKEN = 3.5;

/** Tokens that a text takes, guessed on the high side: a budget is better kept by too much than broken by too little. */
export function estimateTokens(text: string): number {
  let [ascii, other] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) < 0x80) ascii++;
    else other++;
  }
  return Math.ceil(ascii / ASCII_PER_TOKEN + other);
}
