import type { EmbedReport } from '../../../../app/embedding/embed.ts';
import { embedPlace } from '../../../../app/embedding/place.ts';
import { catchUp } from '../../../../app/index/catch-up.ts';
import { ok, refuse } from '../../../../core/result.ts';
import type { Command } from '../../command.ts';
import { inert } from '../../paint.ts';

export const embedCommand: Command = {
  name: 'embed',
  about: 'Embeds records, documents and messages with the configured embedder, so that search also finds them by meaning. Continues where it stopped.',
  positionals: '',
  most: 0,
  crosses: true,
  options: [
    { name: 'minutes', value: 'N', about: 'stop after N minutes; the next run continues' },
    { name: 'user', about: 'embed your user memory' },
  ],
  examples: [
    ['holdfast config set embed.provider ollama', 'choose an embedder first'],
    ['holdfast embed', 'embed what is new in this project'],
    ['holdfast embed --project all --minutes 30', 'every project, for half an hour'],
  ],
  run: async (cli, args) => {
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
      const report = await embedPlace(place.value, { md5: memory.md5, progress, goesOn: () => cli.now() < until });
      reports.push({ project: memory.key, ...report });
      if (report.stopped !== undefined) break;
    }
    cli.progress?.('');
    const [first] = reports;
    if (first === undefined)
      return refuse('CONFIG_ERROR', 'No embedder is configured; search works by words only.', {
        hint: 'choose one, for example: holdfast config set embed.provider ollama',
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
