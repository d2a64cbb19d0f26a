import { nearestKey } from '../../core/config/nearest.ts';

/** ` Did you mean search?` for a misspelt word: nearly the same letters, or the same beginning. Empty where no word is close. */
export function didYouMean(word: string, words: readonly string[]): string {
  const meant = nearestKey(word, words) ?? words.find((one) => one.startsWith(word.slice(0, 3)));
  return meant === undefined ? '' : ` Did you mean ${meant}?`;
}
