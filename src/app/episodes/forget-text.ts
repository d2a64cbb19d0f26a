import type { ForgottenText } from '../../core/lifecycle/forgotten-text.ts';
import type { EpisodeStore } from './keep.ts';
import { archivedLine, archiveLine } from './line.ts';
import { refill } from './remake.ts';

/** A line of an archive without the text; a message that held some is marked, so that a transcript does not bring it back. */
function cleaned(line: string, text: ForgottenText): string {
  if (!text.isIn(line)) return line;
  const clean = text.takenOutOf(line);
  const said = archivedLine(clean);
  return said !== undefined && 'entry' in said ? archiveLine({ ...said.entry, forgotten: true }) : clean;
}

/** Takes text out of a project's archived conversations and makes their index again from what is left. Returns how many sessions held it. */
export async function forgetInEpisodes({ index, archive }: EpisodeStore, text: ForgottenText): Promise<number> {
  const holding = archive.names().filter((name) => [...archive.blocks(name)].some(({ lines }) => lines.some((line) => text.isIn(line))));
  if (holding.length === 0) return 0;
  // Should this be cut short, the next one who opens the index makes it again.
  index.begin().whole(false);
  index.commit();
  const change = index.begin();
  try {
    for (const name of holding) {
      const lines = [...archive.blocks(name)].flatMap((block) => block.lines.map((line) => cleaned(line, text)));
      archive.replace(name, await archive.pack(lines));
    }
    refill(change, archive);
    index.commit();
    return holding.length;
  } catch (cause) {
    index.rollback();
    throw cause;
  }
}
