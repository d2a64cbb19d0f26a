/** How often a test repeats what it tries at random: `npm test` does a share, `npm run test:long` all of it. */
export const rounds = (share: number, all: number): number => (process.env['HOLDFAST_ROUNDS'] === 'all' ? all : share);
