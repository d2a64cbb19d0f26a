import { findTranscripts } from '../../../src/adapters/episodes/find.ts';
import { transcriptFiles } from '../../../src/adapters/episodes/lines.ts';
import { SqliteSources } from '../../../src/adapters/sqlite/episodes/sources.ts';
import { importTranscripts } from '../../../src/app/episodes/import.ts';
import { batchWriter } from '../../../src/app/episodes/batch-writer.ts';
import { openStore } from '../../../src/bin/wiring/episodes.ts';
import { episodeProjects } from '../../../src/bin/wiring/episodes.ts';
import { placesIn } from '../../../src/adapters/files/home-layout.ts';

/** Imports in many small steps and says when it begins, so that it can be killed at any of them. */
async function run([home, inbox]: readonly string[]): Promise<void> {
  if (home === undefined || inbox === undefined) throw new Error('importer HOME INBOX');
  const sources = new SqliteSources(placesIn(home).sources);
  const keeper = batchWriter((key) => openStore(home, key));
  const projects = episodeProjects({ home, now: Date.now, forced: false, fallback: async () => inbox });
  process.stdout.write('begun\n');
  await importTranscripts(
    { transcripts: transcriptFiles, sources, keeper, projects },
    { files: findTranscripts([inbox]).files, sizes: { batch: 8_000, settled: 30_000 } },
  );
  await keeper.close();
  sources.close();
}

void run(process.argv.slice(2));
