import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { findTranscripts } from '../../../src/adapters/episodes/find.ts';
import { transcriptFiles } from '../../../src/adapters/episodes/lines.ts';
import { SqliteSources } from '../../../src/adapters/sqlite/episodes/sources.ts';
import { importTranscripts } from '../../../src/app/episodes/import.ts';
import type { IntakeSizes } from '../../../src/app/episodes/intake.ts';
import type { ImportReport } from '../../../src/app/episodes/tally.ts';
import { batchWriter } from '../../../src/app/episodes/batch-writer.ts';
import { openStore } from '../../../src/bin/wiring/episodes.ts';
import { episodeProjects } from '../../../src/bin/wiring/episodes.ts';
import { openEpisodes } from '../../../src/bin/wiring/episodes.ts';
import { placesIn } from '../../../src/adapters/files/home-layout.ts';
import type { Client, Message } from '../../../src/core/episode/episode.ts';
import type { Transcripts } from '../../../src/core/ports/episodes.ts';
import { scratch } from '../../scratch.ts';

export interface Work {
  opened: number;
  lines: number;
}

/** Transcripts that count what is read of them. */
function counting(work: Work): Transcripts {
  return {
    open: (file, from) => {
      work.opened++;
      const lines = transcriptFiles.open(file, from);
      const look = lines.look.bind(lines);
      lines.look = () => {
        const line = look();
        if (line !== undefined) work.lines++;
        return line;
      };
      return lines;
    },
  };
}

export interface ImportHome {
  readonly folder: string;
  readonly home: string;
  /** Where transcripts are put. */
  readonly inbox: string;
  write(name: string, lines: readonly string[] | string): string;
  run(options?: {
    readonly format?: Client;
    readonly paths?: readonly string[];
    readonly sizes?: IntakeSizes;
  }): Promise<ImportReport & { readonly work: Work }>;
  /** Reads back what is stored of a session. */
  read(sessionId: string): Promise<readonly Message[]>;
  /** Every text that lies under the home, compressed ones unpacked. */
  everything(): string;
}

export function importHome(): ImportHome {
  const folder = scratch();
  const [home, inbox] = [path.join(folder, 'home'), path.join(folder, 'inbox')];
  fs.mkdirSync(inbox);
  const write = (name: string, lines: readonly string[] | string): string => {
    const file = path.join(inbox, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, typeof lines === 'string' ? lines : lines.map((line) => `${line}\n`).join(''));
    return file;
  };
  return {
    folder,
    home,
    inbox,
    write,
    run: async ({ format, paths = [inbox], sizes } = {}) => {
      const work: Work = { opened: 0, lines: 0 };
      const sources = new SqliteSources(placesIn(home).sources);
      const keeper = batchWriter((key) => openStore(home, key));
      try {
        const projects = episodeProjects({ home, now: Date.now, forced: false, fallback: async () => folder });
        const { files } = findTranscripts(paths);
        const report = await importTranscripts(
          { transcripts: counting(work), sources, keeper, projects },
          { files, ...(format && { format }), ...(sizes && { sizes }) },
        );
        return { ...report, work };
      } finally {
        await keeper.close();
        sources.close();
      }
    },
    read: async (sessionId) => (await readSessions(home, [sessionId])).get(sessionId) ?? [],
    everything: () => textsUnder(home),
  };
}

/** The messages of sessions, read through the archive. */
export async function readSessions(home: string, sessions: readonly string[]): Promise<ReadonlyMap<string, readonly Message[]>> {
  const current = async () => ({ key: 'none', path: home });
  const episodes = openEpisodes({ home, homeNamed: true, projectNamed: false, env: {}, now: Date.now, current });
  const read = new Map<string, readonly Message[]>();
  try {
    for (const session of sessions) {
      const found = await episodes.find(session);
      if (found.ok)
        read.set(
          session,
          found.value.episode.entries.filter((entry): entry is Message => 'role' in entry),
        );
    }
    return read;
  } finally {
    await episodes.close();
  }
}

/** Everything under a folder as one text: files as they are, archives unpacked, databases as SQLite wrote them. */
export function textsUnder(folder: string): string {
  const texts: string[] = [];
  for (const name of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(folder, name);
    // The shared memory file of an open database holds no text.
    if (!fs.statSync(file).isFile() || name.endsWith('-shm')) continue;
    const bytes = fs.readFileSync(file);
    texts.push(name, bytes.toString('utf8'), bytes.toString('utf16le'));
    if (name.endsWith('.gz')) texts.push(zlib.gunzipSync(bytes).toString('utf8'));
  }
  return texts.join('\n');
}

export const keysOf = (messages: readonly Message[]): readonly string[] => messages.map(({ sessionId, id }) => `${sessionId} ${id}`);
