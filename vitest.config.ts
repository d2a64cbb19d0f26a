import { configDefaults, defineConfig } from 'vitest/config';

/** Tests with real clients need those installed: `npm run test:clients` sees to it and names them here. */
const withClients = process.env['HOLDFAST_CLIENTS'] !== undefined;

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(withClients ? [] : ['test/clients/**'])],
    testTimeout: withClients ? 120_000 : 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
  },
});
