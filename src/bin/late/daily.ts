/** Sessions, the work at hand, the map of projects: loaded when one of these commands is called. */
export { DAILY } from '../../edges/cli/commands/daily.ts';
