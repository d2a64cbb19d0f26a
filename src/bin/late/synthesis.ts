/** What a synthesis looks at beside the memory: loaded by its command. */
export { changeImport, projectState } from '../compose/synthesis.ts';
