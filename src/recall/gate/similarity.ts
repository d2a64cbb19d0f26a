/** Cosines of the sentence model: up to the first, a prompt and a record of its project are near each other by chance; from the second on they are about one matter. */
const BY_CHANCE = 0.3;
const ONE_MATTER = 0.5;

/** Nearness in meaning from 0 to 1, out of a cosine. */
export const similarityOf = (cosine: number): number => Math.max(0, Math.min(1, (cosine - BY_CHANCE) / (ONE_MATTER - BY_CHANCE)));
