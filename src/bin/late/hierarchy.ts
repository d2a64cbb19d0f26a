/** The memory files of a project: loaded by the few commands that are about them. */
export { openHierarchy } from '../compose/memory-file.ts';
