/** Vectors and those who make them: loaded where an embedder is set up. */
export { openEmbedding } from '../compose/embedding.ts';
export { embedPlace } from '../../app/embedding/place.ts';
export { nearbyIn } from '../../app/embedding/nearby.ts';
