import { rng } from '../measure.ts';
import { SESSION, sessionOf, spelled } from './corpus.ts';

export const KINDS = ['words', 'question', 'identifier', 'common', 'misspelt'] as const;
export type QuestionKind = (typeof KINDS)[number];

export interface MadeQuestion {
  readonly kind: QuestionKind;
  readonly text: string;
}

const COMMON_RANKS = 40;

/** Questions about messages that are there, as a user who remembers some of it would ask; some of nothing but common words. */
export function questions(projects: readonly { readonly name: string; readonly messages: number }[], count: number): MadeQuestion[] {
  const random = rng(11);
  const common = (): string => spelled(Math.floor(random() * COMMON_RANKS));
  return Array.from({ length: count }, (_, nth) => {
    const { name, messages } = projects[Math.floor(random() * projects.length)] as { name: string; messages: number };
    const session = sessionOf(name, Math.floor(random() * Math.max(1, Math.floor(messages / SESSION))));
    const { telling } = session.messages[Math.floor(random() * session.messages.length)] as { telling: readonly string[] };
    const word = (): string => telling[Math.floor(random() * telling.length)] as string;
    const kind = KINDS[nth % KINDS.length] as QuestionKind;
    const texts: Readonly<Record<QuestionKind, () => string>> = {
      words: () => Array.from({ length: 8 }, word).join(' '),
      question: () => `what was it that we said of the ${word()} ${common()} and ${word()}, with ${common()} in ${word()}?`,
      identifier: () => `${telling.find((one) => /[A-Z_/]/.test(one)) ?? word()} ${common()}`,
      common: () => `${common()} ${common()} ${common()} ${common()}`,
      misspelt: () => `${word()} ${swapped(word())} ${common()}`,
    };
    return { kind, text: texts[kind]() };
  });
}

const swapped = (word: string): string => (word.length < 5 ? word : `${word.slice(0, 2)}${word[3]}${word[2]}${word.slice(4)}`);
