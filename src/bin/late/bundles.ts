/** Memories packed and unpacked: loaded by export and import. */
export { openBundles } from '../compose/bundles.ts';
