import { nearestKey } from '../../core/config/unknown.ts';

/** ` Did you mean search?` for a misspelt word: nearly the same letters, or the same beginning. Empty where no word is close. */
export function didYouMean(word: string, words: readonly string[]): string {
  const meant = nearestKey(word, words) ?? words.find((one) => one.startsWith(word.slice(0, 3)));
  return meant === undefined ? '' : ` Did you mean ${meant}?`;
}

/** The message for a command's second word, such as `sing` in `holdfast config sing`. */
export const unknownAction = (command: string, word: string, actions: readonly string[]): string =>
  `Unknown action ${JSON.stringify(word)} for ${command}.${didYouMean(word, actions)} Use ${actions.length > 1 ? 'one of: ' : ''}${actions.join(', ')}.`;
