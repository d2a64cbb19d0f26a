export { guide } from '../../edges/cli/guide.ts';
