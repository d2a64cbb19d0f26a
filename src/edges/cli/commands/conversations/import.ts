import { bundlesOf } from '../../../../app/bundle/bundles.ts';
import { projectJoining } from '../../../../app/bundle/join-projects.ts';
import type { TranscriptImport, Progress } from '../../../../app/episodes/episodes.ts';
import { CLIENTS, type Client } from '../../../../core/episode/episode.ts';
import { ok, refuse } from '../../../../core/result.ts';
import type { Cli, Command } from '../../command.ts';
import { importBundles } from '../transfer/import-bundle.ts';
import { inert } from '../../paint.ts';
import { plural } from '../../present/format.ts';
import { importGit } from './import-git.ts';

const MEGABYTE = 1_000_000;
const SHOWN = 10;

export const importCommand: Command = {
  name: 'import',
  about:
    'Imports conversations: archives them and makes them searchable. Without a path, imports the transcripts of the coding agents on this machine. Skips what was imported before. A file that holdfast export wrote is recognised, and its memories are merged.',
  positionals: '[PATH…]',
  options: [
    { name: 'git', about: 'import the history of this repository: commits that give a reason become decisions, and a summary shows where work happens' },
    { name: 'since', value: 'T', about: 'with --git: only newer commits, such as 2026-01-31' },
    { name: 'limit', value: 'N', about: 'with --git: maximum number of decisions (default 40)' },
    { name: 'format', value: 'F', choices: ['auto', ...CLIENTS, 'bundle'], about: 'the format of the files (default: detected from their first lines)' },
    { name: 'here', about: 'with a bundle: import into this project, even if another was exported' },
    { name: 'settings', about: 'with a bundle: also import settings that are not set here; they can turn memory on' },
  ],
  examples: [
    ['holdfast import', 'all transcripts of Claude Code, Codex and Gemini CLI on this machine'],
    ['holdfast import ~/backup/transcripts --json', 'a folder and its subfolders'],
    ['holdfast import --format chat messages.jsonl', 'a chat: {"project", "session_id", "message_id", "role", "speaker"?, "timestamp", "text"} per line'],
    ['holdfast import --git', 'decisions from the commits of this repository; a second run imports only what is new'],
    ['holdfast import memories.tar.gz', 'an export from another machine'],
    ['holdfast import --here shop.tar.gz', 'the memory of another project, into this one'],
    ['holdfast import --project webshop old.jsonl', 'into the project webshop, whatever the transcript says'],
  ],
  run: async (cli, args) => {
    if (args.flag('git')) return importGit(cli, args);
    if (args.text('since') !== undefined || args.text('limit') !== undefined)
      return refuse('USAGE_ERROR', '--since and --limit need --git.', { hint: 'holdfast import --help' });
    const formatOption = args.text('format');
    const bundles = formatOption === undefined || formatOption === 'auto' ? await bundlesAmong(cli, args.positionals) : [];
    if (bundles.length > 0 && bundles.length < args.positionals.length)
      return refuse('USAGE_ERROR', `${bundles[0]} is a bundle, but other files are not.`, { hint: 'import bundles and conversations one after the other' });
    if (formatOption === 'bundle' || bundles.length > 0)
      return importBundles(cli, args.positionals, { here: args.flag('here'), settings: args.flag('settings') });
    const bundleOption = ['here', 'settings'].find((name) => args.flag(name));
    if (bundleOption !== undefined) return refuse('USAGE_ERROR', `--${bundleOption} needs a bundle.`, { hint: 'holdfast import --help' });
    const format = formatOption === undefined || formatOption === 'auto' ? undefined : (formatOption as Client);
    const showProgress = args.flag('quiet') ? undefined : cli.progress;
    const episodes = await cli.episodes();
    const done = await episodes.import({
      paths: args.positionals,
      ...(format && { format }),
      ...(showProgress && { onProgress: (progress: Progress) => showProgress(progressLine(progress)) }),
    });
    showProgress?.('');
    if (!done.ok) return done;
    const cloneWarnings = await joinClones(cli, done.value);
    return ok({ json: jsonOf(done.value), lines: lines(done.value, cli), warnings: [...warnings(done.value), ...cloneWarnings] });
  },
};

/** Joins conversations from another machine with the project here that has the same repository. Returns a warning for each failure. */
async function joinClones(cli: Cli, { projects }: TranscriptImport): Promise<readonly string[]> {
  const failures: string[] = [];
  for (const { key, clone } of projects) {
    if (clone === undefined) continue;
    const joined = await projectJoining(await cli.bundleHost()).join({ from: key, into: clone, actor: cli.actor });
    if (!joined.ok) failures.push(`${key} was not joined with ${clone}: ${joined.error.message}`);
  }
  return failures;
}

async function bundlesAmong(cli: Cli, files: readonly string[]): Promise<readonly string[]> {
  if (files.length === 0) return [];
  const host = bundlesOf(await cli.bundleHost());
  return files.filter((file) => host.isBundle(file));
}

const rate = (bytes: number, seconds: number): number => (seconds > 0 ? bytes / MEGABYTE / seconds : 0);
const megabytes = (bytes: number): string => `${(bytes / MEGABYTE).toFixed(bytes < 10 * MEGABYTE ? 1 : 0)} MB`;

/** A duration in at most two units. */
function formatDuration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  return seconds < 3_600
    ? `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
    : `${Math.floor(seconds / 3_600)} h ${Math.round((seconds % 3_600) / 60)} min`;
}

function progressLine({ done, total, seconds }: Progress): string {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const bar = '█'.repeat(Math.round(share * 20)).padEnd(20, '░');
  const left = share > 0.01 ? `, ${formatDuration((seconds / share) * (1 - share))} left` : '';
  return `${bar} ${megabytes(done)} of ${megabytes(total)}, ${rate(done, seconds).toFixed(0)} MB/s${left}`;
}

const jsonOf = (done: TranscriptImport): object => ({
  ok: true,
  files: done.files,
  imported: done.imported,
  unchanged: done.unchanged,
  sessions: done.sessions,
  messages: done.messages,
  repeated: done.repeated,
  grown: done.grown,
  bytes: done.bytes,
  seconds: done.seconds,
  mb_per_second: Number(rate(done.bytes, done.seconds).toFixed(1)),
  peak_mb: Math.round(done.peakBytes / MEGABYTE),
  projects: done.projects,
  skipped: { files: done.skippedFiles, lines: done.skippedLines, mended_lines: done.repairedLines },
  dropped_from_archive: done.dropped,
});

function lines(done: TranscriptImport, { paint }: Cli): string[] {
  if (done.files === 0) return ['No transcripts found. Name a file or a folder.'];
  const known = done.unchanged === done.files ? 'Nothing new: ' : '';
  // The time for small files is mostly start-up, so it gives no rate.
  const speed = done.bytes < MEGABYTE ? '' : `, ${rate(done.bytes, done.seconds).toFixed(0)} MB/s`;
  const reading = done.imported > 0 ? ` (${megabytes(done.bytes)} in ${done.seconds.toFixed(1)} s${speed})` : '';
  return [
    `${known}${plural(done.messages, 'new message')} in ${plural(done.sessions, 'session')} from ${plural(done.imported, 'file')}${reading}`,
    ...(done.unchanged > 0 ? [`  ${plural(done.unchanged, 'file')} unchanged`] : []),
    ...(done.repeated > 0 ? [`  ${plural(done.repeated, 'message')} already known`] : []),
    ...done.projects
      .slice(0, SHOWN)
      .map(
        ({ key, sessions, messages, absent, clone }) =>
          `  ${paint.bold(inert(clone ?? key))}  ${plural(sessions, 'session')}, ${plural(messages, 'message')}${absent === undefined ? '' : paint.dim(` (from ${inert(absent)}, which is not on this machine${clone === undefined ? '' : `; it has the commits or the remote of ${inert(clone)}, so it was imported there; to undo that: holdfast project split ${inert(key)}`})`)}`,
      ),
    ...(done.projects.length > SHOWN ? [`  and ${done.projects.length - SHOWN} more projects`] : []),
    ...(done.projects.some(({ absent, clone }) => absent !== undefined && clone === undefined)
      ? [paint.dim('  If you have one of these projects here under another path, join the two: holdfast project merge NAME')]
      : []),
  ];
}

/** Skipped files by reason; --json names each of them. */
function skippedFiles({ skippedFiles: skipped }: TranscriptImport): string[] {
  const reasons = [...new Set(skipped.map(({ reason }) => reason))];
  return reasons.map((reason) => {
    const files = skipped.filter((one) => one.reason === reason).map(({ file }) => file);
    return `Skipped ${files.length === 1 ? files[0] : `${files.length} files`}: ${reason}${files.length === 1 ? '' : `, first ${files[0]}`}`;
  });
}

function warnings(done: TranscriptImport): string[] {
  return [
    ...skippedFiles(done),
    ...done.skippedLines.map(({ reason, count: number, file, line }) => `Skipped ${plural(number, 'line')}: ${reason}, first in ${file} at line ${line}`),
    ...(done.repairedLines > 0 ? [`${plural(done.repairedLines, 'line')} damaged but still readable`] : []),
    ...(done.dropped.length > 0 ? [`The archive is full (archive.maxBytes): dropped the text of the ${plural(done.dropped.length, 'oldest session')}.`] : []),
  ];
}
