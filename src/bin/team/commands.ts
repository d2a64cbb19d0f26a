import { configFiles } from '../../adapters/files/config-files.ts';
import { loadConfig } from '../../app/config/load.ts';
import type { TeamClient } from '../../app/sync/team-client.ts';
import type { Environment } from '../../core/ports/host.ts';
import type { HomePlaces } from '../../core/ports/machine.ts';
import { ok } from '../../core/result.ts';
import type { CommandResult, TeamServerRequest } from '../../edges/cli/command.ts';
import { VERSION } from '../wiring/machine.ts';

/** The files and the server that `sync`, `review` and `team` use. */
export async function openTeam(places: HomePlaces): Promise<TeamClient> {
  const { teamFilesIn } = await import('../../adapters/files/team-files.ts');
  const { sha256 } = await import('../../adapters/process/environment.ts');
  const { remoteProject, teamAddress, teamApi } = await import('../../adapters/team/remote.ts');
  const { newKey, sealedCodec, shownKey, typedKey } = await import('../../adapters/team/sealed-codec.ts');
  const { plainCodec } = await import('../../app/sync/plain-codec.ts');
  const address: TeamClient['address'] = (url) => {
    const parsed = teamAddress(url);
    return parsed.ok ? ok(parsed.value.href) : parsed;
  };
  const keys = { newKey, shownKey, typedKey };
  return { files: teamFilesIn(places), address, api: teamApi, remote: remoteProject, plain: plainCodec(sha256), sealed: sealedCodec, ...keys };
}

/** Runs the server, which is a bundle of its own. */
export async function startTeamServer({ ownState, settings, embedder }: HomePlaces, env: Environment, request: TeamServerRequest): Promise<CommandResult> {
  const { installedModel } = await import('../../adapters/model/embed/install.ts');
  const { openEmbedder } = await import('../../adapters/model/embed/open.ts');
  const { config } = loadConfig(configFiles({ user: settings }));
  const opened = openEmbedder(config, { key: env[config.get('embed.keyVariable').trim()], model: installedModel(embedder) });
  const { loadTeamServer } = await import('../../adapters/process/team-server.ts');
  return loadTeamServer<object, TeamServerRequest, CommandResult>(import.meta.dirname)(
    { state: ownState, version: VERSION, database: env['HOLDFAST_DATABASE'], oidcSecret: env['HOLDFAST_OIDC_SECRET'], embedder: opened },
    request,
  );
}
