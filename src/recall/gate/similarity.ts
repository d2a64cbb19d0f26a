/** Cosines of the sentence model: below the first, texts of one project are near each other by chance; from the second on they say the same. */
const BY_CHANCE = 0.2;
const THE_SAME = 0.7;

/** Nearness in meaning from 0 to 1, out of a cosine. */
export const similarityOf = (cosine: number): number => Math.max(0, Math.min(1, (cosine - BY_CHANCE) / (THE_SAME - BY_CHANCE)));
