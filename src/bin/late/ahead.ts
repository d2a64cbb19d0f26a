/** Has what the next session is told made again: loaded by commands that changed something. */
export { renewAhead } from '../compose/renew-ahead.ts';
