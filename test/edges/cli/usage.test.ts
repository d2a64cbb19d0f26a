import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { lastingProgram } from './program.ts';

const USAGE: readonly (readonly [argv: readonly string[], says: RegExp])[] = [
  [['sing'], /^Unknown command "sing"\.$/],
  [['serch'], /^Unknown command "serch"\. Did you mean search\?$/],
  [['help', 'sing'], /^Unknown command "sing"\.$/],
  [['--loud'], /^Unknown option --loud\.$/],
  [['sreach'], /^Unknown command "sreach"\. Did you mean search\?$/],
  [['serach'], /^Unknown command "serach"\. Did you mean search\?$/],
  [['save'], /^save needs a category/],
  [['save', 'decision'], /needs a text/],
  [['save', 'decision', 'x', '--shared', '--user'], /^Use --shared or --user/],
  [['save', 'decision', 'x', '--trust', 'blind'], /--trust "blind"/],
  [['save', 'decision', 'x', '--title'], /--title needs a value/],
  [['save', 'decision', 'x', '--loud'], /^Unknown option --loud\.$/],
  [['save', 'decision', 'x', '--titel', 'y'], /^Unknown option --titel\. Did you mean --title\?$/],
  [['search', 'x', '-x'], /^Unknown option -x\.$/],
  [['save', 'decision', 'x', '--quiet=yes'], /--quiet takes no value/],
  [['search'], /^search needs a query\.$/],
  [['search', 'x', '--limit', 'NaN'], /--limit "NaN"/],
  [['search', 'x', '--limit', '0'], /--limit "0"/],
  [['search', 'x', '--since', 'yesterday'], /^Invalid time "yesterday"\.$/],
  [['search', 'x', '--kind', 'song'], /^Invalid --kind "song"\. Use one of: /],
  [['search', 'x', '--kind', 'recrod'], /^Invalid --kind "recrod"\. Did you mean record\?/],
  [['write', '--target', 'a.md'], /--action and --target/],
  [['write', '--action', 'burn', '--target', 'a.md'], /--action "burn"/],
  [['write', '--action', 'create', '--target', 'decisions/a.md', '--category', 'decision'], /needs --input/],
  [['candidate', '--category', 'decision'], /needs --new-info/],
  [['candidate', '--category', 'decision', '--new-info', 'x', '--lifecycle-event', 'party'], /"party"/],
  [['show'], /^show needs the id/],
  [['show', 'a', 'b'], /"b"/],
  [['get'], /^get needs at least one id\.$/],
  [['edit'], /^edit needs the id/],
  [['retire'], /^retire needs the id/],
  [['share'], /^share needs the id/],
  [['share', 'a', 'b'], /"b"/],
  [['log', 'a', 'b'], /"b"/],
  [['log', '--limit', '-1'], /--limit "-1"/],
  [['diff'], /^diff needs the id/],
  [['diff', 'a', 'b'], /^Invalid number of a write: "b"\.$/],
  [['undo', '0'], /"0"/],
  [['undo', 'all'], /"all"/],
  [['status', 'please'], /"please"/],
  [['gc', 'now'], /"now"/],
  [['rebuild', 'it'], /"it"/],
  [['doctor', 'who'], /"who"/],
  [['config', 'sing'], /^Unknown action "sing" for config\./],
  [['config', 'lsit'], /Did you mean list\?/],
  [['workspace', 'relat'], /^Unknown action "relat" for workspace\. Did you mean relate\?/],
  [['config', 'get'], /needs a key/],
  [['config', 'set', 'mode'], /needs a value/],
  [['completion', 'tcsh'], /^Name a shell/],
  [['--home'], /^--home needs a value/],
  [['status', '--project', 'all'], /one project/],
  [['save', 'decision', 'x', '--project', 'all'], /one project/],
];

const memory = lastingProgram();

describe('wrong usage', () => {
  it.each(USAGE)('%j ends with 2 and says what is wrong', (argv, says) => {
    const refused = memory.refused(...argv);
    expect(refused).toMatchObject({ exit: 2, error: 'USAGE_ERROR', message: expect.stringMatching(says) });
    expect(fs.existsSync(memory.home)).toBe(false);
  });

  it('is told to people on stderr, with a hint that --quiet leaves out', () => {
    expect(memory.run('serch', 'x')).toEqual({
      code: 2,
      out: '',
      err: 'USAGE_ERROR Unknown command "serch". Did you mean search?\n  holdfast --help lists all commands\n',
    });
    expect(memory.run('sing', 'x').err).toBe('USAGE_ERROR Unknown command "sing".\n  holdfast --help lists all commands\n');
    expect(memory.run('seach', 'x').err).toMatch(/Did you mean search\?/);
    expect(memory.run('--quiet', 'serch', 'x')).toEqual({ code: 2, out: '', err: 'USAGE_ERROR Unknown command "serch". Did you mean search?\n' });
  });

  it('of a category names the category that was probably meant', () => {
    expect(memory.refused('save', 'decison', 'x')).toMatchObject({
      exit: 1,
      error: 'VALIDATION_ERROR',
      message: 'Unknown category "decison". Did you mean decision?',
      hint: expect.stringMatching(/^categories: .*\bdecision\b/),
    });
  });

  it('is not found where an option is only text', () => {
    expect(memory.run('search', '--', '--json')).toEqual({ code: 0, out: 'No hits.\n', err: '' });
    expect(memory.run('search', '--json=yes', 'x').code).toBe(2);
  });

  it('leaves no trace of a project that was only looked at', () => {
    for (const argv of [['status'], ['search', 'x'], ['doctor'], ['log'], ['config']]) expect(memory.run(...argv)).toMatchObject({ code: 0, err: '' });
    expect(fs.existsSync(memory.home)).toBe(false);
    expect(fs.readdirSync(memory.project)).toEqual([]);
  });
});
