import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { PROGRAM, program, programAt, type Program } from '../../program.ts';

const REPORT = (task: string, file: string): string => `# ${task}

**Agent**: Explore
**Date**: 2026-01-19T22:30:00Z
**Task**: ${task}

## Summary
Scanned ${file} and found that the session cookie is readable by scripts. The token is also kept in local storage.

## Details
- The cookie of ${file} lacks the httpOnly flag, so any script on the page can read it.
- The refresh token is written to local storage right after the sign-in succeeds.

## Files Analyzed
- \`${file}\`

## Recommendations
- Set httpOnly on the cookie.
`;

/** Two at once, as a parent's subagents are. */
async function together(cli: Program, project: string, argvs: readonly (readonly string[])[], inputs: readonly string[]): Promise<void> {
  await Promise.all(
    argvs.map(
      (argv, at) =>
        new Promise<void>((resolve, reject) => {
          const child = spawn(process.execPath, [PROGRAM, '--home', cli.home, ...argv], { cwd: project, env: { PATH: process.env['PATH'] ?? '' } });
          child.on('error', reject);
          child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${argv.join(' ')} ended with ${code}`))));
          child.stdin.end(inputs[at]);
        }),
    ),
  );
}

/** The document's own day, from start to stop, with a compaction and two subagents at once. */
test('a day of memory mode, from start to stop', async () => {
  const base = program();
  const project = path.join(base.folder, 'korweb_companion_app');
  fs.mkdirSync(project);
  execFileSync('git', ['init', '-q', '-b', 'auth', project]);
  const cli = programAt(base.folder, base.home, project);
  const root = path.join(base.home, 'projects', 'korweb-companion-app');
  const read = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8');
  const session = (): Record<string, unknown> => JSON.parse(read('_session.json')) as Record<string, unknown>;
  const day = new Date().toISOString().slice(0, 10);

  // The evening before: preferences, and a neighbour with a memory of its own.
  cli.ask('user', 'update', 'preferences', 'Explain trade-offs briefly');
  base.ask('start');
  base.ask('save', 'decision', 'Sessions live in Redis');
  base.ask('stop');

  // Start.
  const started = cli.run('start');
  expect(started.out).toMatch(/^Memory mode active for korweb-companion-app\. Context stored at .*\/projects\/korweb-companion-app\/\n/);
  expect(started.out).toContain('💭 Based on your preference...\n  - Explain trade-offs briefly');
  expect(session()).toMatchObject({
    active: true,
    projectKey: 'korweb-companion-app',
    projectPath: project,
    branch: 'auth',
    stats: { decisions: 0, analyses: 0, indexArchived: 0, subagentOutputs: 0 },
  });
  expect(cli.ask('breadcrumb', 'check')).toMatchObject({ verdict: 'first' });

  // Work: a task with steps, a decision, an analysis, a relationship found on the way.
  cli.ask('task', 'Make the sign-in safe');
  cli.ask('progress', 'add', 'Scan the auth module', 'Choose where tokens live');
  cli.ask('block', 'No key for the staging server');
  cli.ask('save', 'decision', 'Use httpOnly cookies for the session token', '--tag', 'auth');
  cli.ask('save', 'analysis', 'src/services/AuthService: three security issues', '--file', 'src/services/AuthService.ts');
  cli.ask('workspace', 'relate', 'depends-on', 'webshop');
  expect(fs.readdirSync(path.join(root, 'decisions'))).toEqual([`${day}_001_use-httponly-cookies-for-the-session-token.md`]);
  const crumb = cli.run('breadcrumb').out;
  expect(cli.askIn({ input: `…\n${crumb}` }, 'breadcrumb', 'check')).toMatchObject({ verdict: 'intact' });

  // Two subagents at once: each is told the rules, each writes its own file, and none loses the other's row.
  expect(cli.run('report', 'instructions', 'Scan the auth module').out).toMatch(
    /^Scan the auth module\n\nMEMORY SYSTEM INSTRUCTIONS:[\s\S]*1\. CONTEXT[\s\S]*2\. OUTPUT[\s\S]*3\. FORMAT[\s\S]*4\. RESTRICTION/,
  );
  const asked = (tool: string, file: string): string =>
    cli.runIn(
      {
        input: JSON.stringify({
          session_id: 's1',
          cwd: project,
          hook_event_name: 'PreToolUse',
          tool_name: tool,
          agent_id: 'a1',
          tool_input: { file_path: path.join(root, file), content: 'x' },
        }),
      },
      'hook',
      'PreToolUse',
    ).out;
  for (const file of ['_index.md', 'context/blockers.md']) expect(asked('Read', file)).toContain('"permissionDecision":"allow"');
  expect(asked('Write', 'context/blockers.md')).toBe('');
  expect(asked('Write', '_index.md')).toMatch(/"permissionDecision":"deny".*holdfast save/);
  const save = ['report', 'save', 'Security scan', '--agent', 'Explore', '--input', '-'];
  await together(cli, project, [save, save], [REPORT('Security scan', 'src/auth/cookie.ts'), REPORT('Security scan', 'src/auth/token.ts')]);
  const reports = fs.readdirSync(path.join(root, 'subagent'));
  expect(reports).toHaveLength(2);
  for (const name of reports) {
    expect(name).toMatch(/^\d{4}-\d\d-\d\d_\d{6}_security-scan(?:-2)?\.md$/);
    expect(read('_index.md')).toContain(`| SubAgent | subagent/${name} |`);
  }
  expect(session()).toMatchObject({ stats: { decisions: 1, analyses: 1, subagentOutputs: 2 } });
  const { reports: folded } = cli.ask('report', 'consolidate') as { reports: { into: string[] }[] };
  expect(folded).toHaveLength(2);
  expect(folded.flatMap(({ into }) => into).some((name) => name.startsWith('analysis/'))).toBe(true);
  cli.ask('progress', 'done', 'scan');

  // Compaction: the breadcrumb is gone, and what was going on comes back in order, once.
  const recovery = cli.runIn({ input: 'Summary of the conversation so far.' }, 'breadcrumb', 'check').out;
  const order = ['compacted', 'Make the sign-in safe', 'No key for the staging server', 'Memory index', 'Explain trade-offs briefly', 'depends-on'].map(
    (words) => recovery.indexOf(words),
  );
  expect(
    order.every((at, index) => at >= 0 && (index === 0 || at > (order[index - 1] ?? 0))),
    recovery,
  ).toBe(true);
  expect(cli.askIn({ input: 'Summary' }, 'breadcrumb', 'check')).toMatchObject({ verdict: 'recovered' });

  // A question about the past: from the index to one file; then a neighbour's.
  const { hits } = cli.ask('search', 'cookies') as { hits: { id: string; file: string }[] };
  expect(fs.readFileSync(hits[0]?.file ?? '', 'utf8')).toContain('httpOnly');
  expect(cli.run('workspace', 'show', 'webshop').out).toContain('Sessions live in Redis');
  expect(cli.run('show', 'sessions-live-in-redis', '--project', 'webshop').out).toContain('Sessions live in Redis');

  // More than the index holds.
  for (let at = 1; at <= 14; at += 1) cli.ask('save', 'decision', `Rule number ${at} of the sign-in`);
  const index = read('_index.md');
  expect(index).toContain('Status: ACTIVE');
  expect(index).toContain('- **Task**: Make the sign-in safe\n- **Progress**: 1/2\n- **Active Blocker**: No key for the staging server');
  expect(index.match(/^\| (?:Decision|Analysis|SubAgent|Context|Progress) /gm)).toHaveLength(20);
  const { stats } = session() as { stats: { indexArchived: number } };
  expect(stats.indexArchived).toBeGreaterThan(0);
  expect(read('_index-archive.md').match(/^\| (?:Decision|Analysis|SubAgent|Context|Progress) /gm)).toHaveLength(stats.indexArchived);
  expect(cli.run('status').out).toContain(`index 20 of 20 entries, ${stats.indexArchived} archived`);

  // The index is lost and made again.
  fs.rmSync(path.join(root, '_index.md'));
  expect(cli.run('rebuild').out).toMatch(/^Index rebuilt\. Found 15 decisions, \d analyses, 2 context files, 2 subagent outputs\.\n/);
  expect(read('_index.md')).toBe(index);

  // Stop: archived, inactive, nothing gone.
  cli.ask('unblock', '1');
  cli.ask('task', '--done');
  const files = fs.readdirSync(root, { recursive: true }).length;
  expect(cli.run('stop').out).toMatch(/^Memory mode stopped\. Files preserved at .*\/projects\/korweb-companion-app\/\n/);
  expect(session()).toMatchObject({ active: false });
  expect(read('_index.md')).toContain('Status: INACTIVE');
  expect(read('_index-archive.md')).toMatch(new RegExp(String.raw`## Archived Sessions\n.*\n.*\n\| ${day}T.{9} \| ${day}T.{9} \| [1-9]\d* \|\n`));
  expect(fs.readdirSync(root, { recursive: true })).toHaveLength(files);
  expect(cli.run('breadcrumb').out).toBe('');
  expect(fs.readdirSync(project)).toEqual(['.git']);

  // And the next day starts from there, with what the project is and what it takes part in.
  cli.ask('project', '--role', 'Lead of the app', '--type', 'application');
  cli.ask('workspace', 'initiative', 'Node 24', '--with', 'korweb-companion-app', '--status', 'in progress');
  const next = cli.run('start').out;
  expect(next).toContain('  Initiative: Node 24 (in progress)\n');
  expect(next).toContain('## Role\nLead of the app');
  expect(session()).toMatchObject({ active: true, stats: { decisions: 0 } });
  expect(cli.run('brief').out).toContain('Rule number');
});
