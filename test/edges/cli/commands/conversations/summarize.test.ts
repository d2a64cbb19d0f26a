import { describe, expect, it } from 'vitest';
import { transcript } from '../../../hook/transcript.ts';
import { program } from '../../program.ts';

const SESSION = '5f0c1d2e-1111-4222-8333-444455556666';

describe('a session that still runs', () => {
  it('is summed up as far as its client wrote it, before anything imported it and after', () => {
    const cli = program();
    const session = transcript(cli, SESSION);
    session.prompt('Send the storm warnings by radio, because flags freeze');
    const first = cli.ask('summarize', SESSION, '--dry-run');
    expect(JSON.stringify(first)).toContain('storm warnings');
    expect(cli.run('messages', '--session', SESSION).code).toBe(4);
    cli.ask('import');
    session.prompt('And ring the harbour bell at dawn, because the captains sail then');
    expect(JSON.stringify(cli.ask('summarize', SESSION, '--dry-run'))).toContain('harbour bell');
    cli.ask('import');
    expect(JSON.stringify(cli.ask('summarize', SESSION, '--dry-run'))).toContain('harbour bell');
  });

  it('is read without what the project excludes', () => {
    const cli = program();
    const session = transcript(cli, SESSION);
    session.prompt('Tidy the salaries');
    session.run('git commit payroll/wages.csv -m "Raise the pay of the pilots"', '[main 1234567] Raise the pay of the pilots\n 1 file changed');
    session.run('git commit src/port.ts -m "Name the quays"', '[main 2345678] Name the quays\n 1 file changed');
    const read = (...from: string[]) => JSON.stringify(cli.ask('summarize', ...from, '--dry-run'));
    expect(read(SESSION)).toMatch(/Raise the pay.*Name the quays/);
    cli.ask('config', 'set', 'capture.exclude', '["**/payroll/**"]');
    for (const said of [read(SESSION), read('--transcript', session.file)]) {
      expect(said).toContain('Name the quays');
      expect(said).not.toContain('Raise the pay');
    }
  });
});
