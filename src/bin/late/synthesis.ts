/** What a synthesis and the map of projects look at beside the memory: loaded by their commands. */
export { changeImport, projectState } from '../compose/synthesis.ts';
export { relationsAround } from '../compose/relations.ts';
