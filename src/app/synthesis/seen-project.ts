import type { CommitFacts } from '../../core/episode/episode.ts';
import { commitsIn } from '../episodes/timeline.ts';
import { type Episode, messagesIn } from '../episodes/read.ts';
import { isScratch } from '../../capture/summary/text.ts';
import type { PackageManifest } from '../workspace/manifest.ts';
import { type CheckoutState, noCheckout, SELF_DESCRIPTIONS } from './gather.ts';

const plain = (path: string): string => path.replaceAll('\\', '/').replace(/\/$/, '');
/** The folder of a worktree inside the project; the path below it is relative to the project. */
const WORKTREE = /^\.(?:claude\/)?worktrees\/[^/]+\//;
const SELF_DESCRIPTION_FILES: ReadonlySet<string> = new Set(SELF_DESCRIPTIONS);
const NUMBERED = /^\s*\d+(?:→|\t)/;

/** A path relative to the project; undefined if it is outside. */
function inProject(path: string, roots: readonly string[]): string | undefined {
  const file = plain(path);
  const root = roots.find((one) => file.toLowerCase().startsWith(`${one.toLowerCase()}/`));
  if (root === undefined) return /^(?:[A-Za-z]:)?\//.test(file) || file.startsWith('~') || file.startsWith('..') ? undefined : file.replace(/^\.\//, '');
  return file.slice(root.length + 1).replace(WORKTREE, '');
}

/** The text of a file from the answer of a reading tool, which numbers the lines; undefined unless it starts at line 1. */
function wholeText(answer: string): string | undefined {
  const rows = answer.split('\n');
  if (!/^\s*1(?:→|\t)/.test(rows[0] ?? '')) return undefined;
  return rows
    .filter((row) => NUMBERED.test(row))
    .map((row) => row.replace(NUMBERED, ''))
    .join('\n');
}

/** Reconstructs a project whose folder is not on this machine from its sessions: files, introductions and commits. */
export function checkoutFromSessions(episodes: Iterable<Episode>, folder: string): CheckoutState {
  const files = new Set<string>();
  const introductions = new Map<string, { readonly text: string; readonly at: string }>();
  const commits = new Map<string, CommitFacts>();
  for (const episode of episodes) {
    const roots = [plain(folder), ...(episode.facts.project === undefined ? [] : [plain(episode.facts.project)])];
    const reads = new Map<string, string>();
    for (const message of messagesIn(episode)) {
      for (const call of message.toolCalls ?? [])
        for (const path of call.files) {
          const file = isScratch(path) ? undefined : inProject(path, roots);
          if (file === undefined || file.includes('node_modules/')) continue;
          files.add(file);
          if (SELF_DESCRIPTION_FILES.has(file) && /^read/i.test(call.name)) reads.set(call.id, file);
        }
      const name = message.role === 'tool' && message.failed !== true ? reads.get(message.answers ?? '') : undefined;
      const text = name === undefined ? undefined : wholeText(message.text);
      if (name !== undefined && text !== undefined && (introductions.get(name)?.at ?? '') <= (message.at ?? ''))
        introductions.set(name, { text, at: message.at ?? '' });
    }
    for (const { subject, body = '', at = episode.facts.endedAt ?? '', hash = '' } of commitsIn(episode))
      if ((commits.get(subject)?.at ?? '') <= at)
        commits.set(subject, { id: hash, at, subject, body, merge: false, files: [], session: episode.facts.sessionId });
  }
  return {
    ...noCheckout(folder),
    files: [...files],
    introductions: [...introductions].map(([file, { text }]): PackageManifest => ({ file, text })),
    commits: [...commits.values()].toSorted((a, b) => (a.at < b.at ? 1 : -1)),
  };
}
