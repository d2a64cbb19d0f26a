import type { Imported, Progress } from '../../../../app/episodes/episodes.ts';
import { CLIENTS, type Client } from '../../../../core/episode.ts';
import { ok, refuse } from '../../../../core/result.ts';
import type { Cli, Command } from '../../command.ts';
import { importBundles } from '../transfer/import-bundle.ts';
import { inert } from '../../paint.ts';
import { importGit } from './import-git.ts';

const MEGABYTE = 1_000_000;
const SHOWN = 10;

export const importCommand: Command = {
  name: 'import',
  about:
    'Brings conversations in: archives them, makes them findable. Without a path: the transcripts of the coding agents on this machine. What is known already costs nothing. With --format bundle: memories that `export` packed, merged with those that are here.',
  positionals: '[PATH…]',
  options: [
    { name: 'git', about: 'the history of this repository: commits that say why become decisions, and a survey tells where work goes on' },
    { name: 'since', value: 'T', about: 'with --git: only commits since then, such as 2026-01-31' },
    { name: 'limit', value: 'N', about: 'with --git: at most so many decisions (default 40)' },
    { name: 'format', value: 'F', choices: ['auto', ...CLIENTS, 'bundle'], about: 'what the files are; told by their first lines otherwise' },
    { name: 'here', about: 'with --format bundle: into this project, whatever project it was of' },
    { name: 'settings', about: 'with --format bundle: settings too, where nothing is set here; they can switch memory on' },
  ],
  examples: [
    ['holdfast import', 'everything that Claude Code, Codex and Gemini CLI left on this machine'],
    ['holdfast import ~/backup/transcripts --json', 'a folder, with all folders in it'],
    ['holdfast import --format chat messages.jsonl', 'a chat: {"project", "session_id", "message_id", "role", "speaker"?, "timestamp", "text"} a line'],
    ['holdfast import --git', 'what the commits of this repository decided; a second run brings only what is new'],
    ['holdfast import --format bundle memories.tar.gz', 'what `holdfast export` packed on another machine'],
    ['holdfast import --format bundle --here shop.tar.gz', 'what another project knows, into this one'],
    ['holdfast import --project webshop old.jsonl', 'into this project, whatever the transcript says'],
  ],
  run: async (cli, args) => {
    if (args.flag('git')) return importGit(cli, args);
    if (args.text('since') !== undefined || args.text('limit') !== undefined)
      return refuse('USAGE_ERROR', '--since and --limit belong to --git', { hint: 'holdfast import --help' });
    const given = args.text('format');
    if (given === 'bundle') return importBundles(cli, args.positionals, { here: args.flag('here'), settings: args.flag('settings') });
    const stray = ['here', 'settings'].find((name) => args.flag(name));
    if (stray !== undefined) return refuse('USAGE_ERROR', `--${stray} belongs to --format bundle`, { hint: 'holdfast import --help' });
    const format = given === undefined || given === 'auto' ? undefined : (given as Client);
    const watch = args.flag('quiet') ? undefined : cli.progress;
    const episodes = await cli.episodes();
    const done = await episodes.import({
      paths: args.positionals,
      ...(format && { format }),
      ...(watch && { onProgress: (progress: Progress) => watch(progressLine(progress)) }),
    });
    watch?.('');
    if (!done.ok) return done;
    return ok({ json: jsonOf(done.value), lines: lines(done.value, cli), warnings: warnings(done.value) });
  },
};

const rate = (bytes: number, seconds: number): number => (seconds > 0 ? bytes / MEGABYTE / seconds : 0);
const megabytes = (bytes: number): string => `${(bytes / MEGABYTE).toFixed(bytes < 10 * MEGABYTE ? 1 : 0)} MB`;

/** Two digits of each unit: nobody plans by the tenth of a second. */
function spell(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  return seconds < 3_600
    ? `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
    : `${Math.floor(seconds / 3_600)} h ${Math.round((seconds % 3_600) / 60)} min`;
}

function progressLine({ done, total, seconds }: Progress): string {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const bar = '█'.repeat(Math.round(share * 20)).padEnd(20, '░');
  const left = share > 0.01 ? `, ${spell((seconds / share) * (1 - share))} left` : '';
  return `${bar} ${megabytes(done)} of ${megabytes(total)}, ${rate(done, seconds).toFixed(0)} MB/s${left}`;
}

const jsonOf = (done: Imported): object => ({
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
  skipped: { files: done.skippedFiles, lines: done.skippedLines, mended_lines: done.mended },
  dropped_from_archive: done.dropped,
});

const count = (number: number, one: string): string => `${number} ${one}${number === 1 ? '' : 's'}`;

function lines(done: Imported, { paint }: Cli): string[] {
  if (done.files === 0) return ['no transcripts found: name a file or a folder'];
  const known = done.unchanged === done.files ? 'nothing new: ' : '';
  // Of a few small files the start is timed and not the rate.
  const speed = done.bytes < MEGABYTE ? '' : `, ${rate(done.bytes, done.seconds).toFixed(0)} MB/s`;
  const reading = done.imported > 0 ? ` (${megabytes(done.bytes)} in ${done.seconds.toFixed(1)} s${speed})` : '';
  return [
    `${known}${count(done.messages, 'new message')} in ${count(done.sessions, 'session')} from ${count(done.imported, 'file')}${reading}`,
    ...(done.unchanged > 0 ? [`  ${count(done.unchanged, 'file')} unchanged`] : []),
    ...(done.repeated > 0 ? [`  ${count(done.repeated, 'message')} known already`] : []),
    ...done.projects
      .slice(0, SHOWN)
      .map(({ key, sessions, messages }) => `  ${paint.bold(inert(key))}  ${count(sessions, 'session')}, ${count(messages, 'message')}`),
    ...(done.projects.length > SHOWN ? [`  and ${done.projects.length - SHOWN} projects more`] : []),
  ];
}

/** Files left out, by the reason: with --json every one is named. */
function skippedFiles({ skippedFiles: skipped }: Imported): string[] {
  const reasons = [...new Set(skipped.map(({ reason }) => reason))];
  return reasons.map((reason) => {
    const files = skipped.filter((one) => one.reason === reason).map(({ file }) => file);
    return `skipped ${files.length === 1 ? files[0] : `${files.length} files`}: ${reason}${files.length === 1 ? '' : `, first ${files[0]}`}`;
  });
}

function warnings(done: Imported): string[] {
  return [
    ...skippedFiles(done),
    ...done.skippedLines.map(({ reason, count: number, file, line }) => `skipped ${count(number, 'line')}: ${reason}, first in ${file} at line ${line}`),
    ...(done.mended > 0 ? [`${count(done.mended, 'line')} damaged but readable`] : []),
    ...(done.dropped.length > 0
      ? [`the archive was full: the text of the ${count(done.dropped.length, 'oldest session')} was dropped (archive.maxBytes)`]
      : []),
  ];
}
