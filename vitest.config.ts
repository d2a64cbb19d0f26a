import { configDefaults, defineConfig } from 'vitest/config';

/** Tests with real clients need those installed: `npm run test:clients` sees to it and names them here. */
const withClients = process.env['HOLDFAST_CLIENTS'] !== undefined;

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(withClients ? [] : ['test/clients/**'])],
    globalSetup: 'test/global-setup.ts',
    // Only against hanging: a busy machine may be slow.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    pool: 'forks',
    // Files share a process: no test mocks a module or changes the environment, and loading everything anew costs a third of the time.
    isolate: false,
    // Two more than the two cores that most machines have at least: many tests wait for processes and timers.
    maxWorkers: 4,
  },
});
