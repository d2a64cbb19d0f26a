/** A real client that `npm run test:clients` installed. */
export interface Client {
  readonly version: string;
  readonly program: string;
}

/** What scripts/clients.js installed, or nothing when the tests are started some other way. */
export const clients: readonly Client[] = JSON.parse(process.env['HOLDFAST_CLIENTS'] ?? '[]') as readonly Client[];
