import { loopback, type Loopback, type Reply } from './loopback.ts';

/** Meaning, for the tests' purposes: which of these groups of words a text touches. */
const TOPICS = [
  ['automobile', 'car', 'vehicle'],
  ['invoice', 'bill', 'payment'],
  ['weather', 'rain', 'storm'],
];
const meaning = (text: string): number[] => [...TOPICS.map((words) => (words.some((word) => text.toLowerCase().includes(word)) ? 1 : 0)), 0.05];

export const PROTOCOLS: Readonly<Record<string, (texts: readonly string[]) => Reply>> = {
  ollama: (texts) => ({ json: { embeddings: texts.map(meaning) } }),
  openai: (texts) => ({ json: { data: texts.map((text, index) => ({ index, embedding: meaning(text) })) } }),
};

/** Texts that an embedder was asked for. */
export const embeddedTexts = ({ seen }: Loopback): string[] => seen.flatMap(({ body }) => body['input'] as string[]);

/** An embedder as Ollama serves it. */
export const ollama = (): Promise<Loopback> => loopback(({ body }) => (PROTOCOLS['ollama'] as (texts: readonly string[]) => Reply)(body['input'] as string[]));
