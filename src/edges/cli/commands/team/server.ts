import { refuse } from '../../../../core/result.ts';
import type { Command } from '../../command.ts';

export const serverCommand: Command = {
  name: 'server',
  about:
    'Serves a team’s memory from PostgreSQL 15 or newer: organisations, members, tokens, sync and review over HTTP. Brings the tables up to date first. Listens on this machine; put a reverse proxy with TLS in front of it. --try starts a PostgreSQL of its own, to try it out.',
  positionals: '',
  most: 0,
  options: [
    { name: 'database', value: 'URL', about: 'postgres://…; the environment variable HOLDFAST_DATABASE keeps a password out of the list of processes' },
    { name: 'try', about: 'start a PostgreSQL in the home, with an organisation, a project and a token' },
    { name: 'host', value: 'H', about: 'address to listen on (default: 127.0.0.1)' },
    { name: 'port', value: 'N', about: 'port to listen on (default: 7464; 0 for any)' },
    { name: 'add-organisation', value: 'NAME', about: 'add an organisation with its first admin, print the admin’s token, and exit' },
    { name: 'admin', value: 'MEMBER', about: 'with --add-organisation: the admin’s name (default: admin)' },
    { name: 'oidc-issuer', value: 'URL', about: 'let members sign in at this OpenID Connect issuer; its client secret, if any, is in HOLDFAST_OIDC_SECRET' },
    { name: 'oidc-client', value: 'ID', about: 'the client id of this server at the issuer' },
    { name: 'public-url', value: 'URL', about: 'the address at which browsers reach this server; the issuer sends them back to URL/sign-in/callback' },
    { name: 'migrate-only', about: 'bring the tables up to date, and exit' },
  ],
  examples: [
    ['holdfast server --try', 'try it out on this machine'],
    ['holdfast server --database postgres://holdfast@db/holdfast --add-organisation acme', 'once for each organisation'],
    ['HOLDFAST_DATABASE=postgres://… holdfast server --port 7464', 'serve'],
  ],
  run: async (cli, args) => {
    if (cli.caller === 'agent') return refuse('SECURITY_ERROR', 'Only a person starts a server.', { hint: 'run the command in a terminal of your own' });
    const port = args.number('port', { min: 0, max: 65_535 });
    if (!port.ok) return port;
    const [issuer, clientId, publicUrl] = [args.text('oidc-issuer'), args.text('oidc-client'), args.text('public-url')];
    const oidc = issuer !== undefined && clientId !== undefined && publicUrl !== undefined ? { issuer, clientId, publicUrl } : undefined;
    if (issuer !== undefined && !oidc) return refuse('USAGE_ERROR', '--oidc-issuer needs --oidc-client and --public-url.', { hint: 'holdfast server --help' });
    const [database, organisation] = [args.text('database'), args.text('add-organisation')];
    return cli.teamServer({
      host: args.text('host') ?? '127.0.0.1',
      port: port.value ?? 7464,
      ...(database !== undefined && { database }),
      isTrial: args.flag('try'),
      onlyMigrates: args.flag('migrate-only'),
      ...(organisation !== undefined && { organisation: { name: organisation, admin: args.text('admin') ?? 'admin' } }),
      ...(oidc && { oidc }),
      json: args.flag('json'),
    });
  },
};
