import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { SUMMARY_MARK, type Call, type Scene } from './model/script.ts';
import { clients } from './sandbox/clients.ts';
import { converse } from './sandbox/conversation.ts';
import { filesIn, holdfast, memoryOf, prompt, SAVE } from './sandbox/plugin.ts';
import { sandbox } from './sandbox/sandbox.ts';

const STATE = SAVE.replace('memory_save', 'memory_state');
const state = (input: object): Call => ({ tool: STATE, input: { ...input } });
const saved = (category: string, text: string, asked: string, more: object = {}): Call => ({ tool: SAVE, input: { category, text, asked, ...more } });

const BEGIN = 'Make the sign-in safe. Write down what we decide.';
const SCAN = 'Have both files of the sign-in scanned.';
const RULES = 'Remember these rules of the sign-in for us.';
const LIKE = 'Remember that I want trade-offs explained briefly, in every project.';
const COUNT = 'Count all the things';
const END = 'That was it: the sign-in is safe.';
const MORNING = 'Good morning, what is next?';

const report = (name: string): string => `# Security scan

**Agent**: general-purpose
**Task**: Scan ${name}

## Summary
Scanned ${name} and found that the session cookie is readable by scripts. The refresh token is kept in local storage as well.

## Details
- The cookie of ${name} lacks the httpOnly flag, so any script on the page can read it.
`;
const FOLDER = /Write findings to (\S+\/subagent)\/YYYY/;
const subagent = (name: string): Call => ({
  tool: 'Agent',
  input: { subagent_type: 'general-purpose', description: 'scan', run_in_background: false, prompt: `SCAN ${name}` },
});

/** What a model does that follows the instructions it was given: it reads the index, tries the file, and then hands its report in. */
const scanning = (name: string, root: string): Scene => {
  const file = path.join(root, 'subagent', '2026-01-19_223000_security-scan.md');
  return {
    when: `SCAN ${name}`,
    steps: [
      { calls: [{ tool: 'Read', input: { file_path: path.join(root, '_index.md') } }] },
      { calls: [{ tool: 'Write', input: { file_path: file, content: report(name) } }] },
      { calls: [state({ task: 'Scan everything' })] },
      { calls: [{ tool: SAVE, input: { file, text: report(name) } }] },
      { calls: [{ tool: SAVE, input: { file: file.replace('scan.md', `scan-${path.basename(name, '.ts')}.md`), text: report(name) } }] },
      { text: `The report on ${name} is in ${file}.` },
    ],
  };
};

describe.each(clients)('Claude Code $version', (client) => {
  test('a day of memory mode, from start to stop, by the agent alone', { timeout: 300_000 }, async () => {
    const box = await sandbox(client);
    const root = memoryOf(box);
    const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
    const session = (): Record<string, unknown> => JSON.parse(read('_session.json')) as Record<string, unknown>;
    spawnSync('git', ['-C', box.project, 'checkout', '-q', '-b', 'auth']);
    holdfast(box, 'config', 'set', 'inject.subagents', 'full');
    box.model.play([
      scanning('src/cookie.ts', root),
      scanning('src/token.ts', root),
      {
        when: BEGIN,
        steps: [
          {
            calls: [
              state({
                task: 'Make the sign-in safe',
                next: ['Scan the auth module', 'Choose where tokens live'],
                blocker: 'No key for the staging server',
                note: 'The app of the shop floor',
              }),
            ],
          },
          {
            calls: [
              saved('decision', 'Use httpOnly cookies for the session token because scripts cannot read them', BEGIN),
              saved('analysis', 'src/services/AuthService: three security issues', BEGIN, { files: ['src/services/AuthService.ts'] }),
            ],
          },
          { text: 'Begun.' },
        ],
      },
      {
        when: SCAN,
        steps: [
          { calls: [subagent('src/cookie.ts'), subagent('src/token.ts')] },
          { calls: [state({ progress: ['Scan the auth module'] })] },
          { text: 'Scanned.' },
        ],
      },
      {
        when: RULES,
        steps: [{ calls: Array.from({ length: 16 }, (_, at) => saved('decision', `Rule number ${at + 1} of the sign-in`, RULES)) }, { text: 'Kept.' }],
      },
      {
        when: LIKE,
        steps: [
          { calls: [saved('preference', 'Trade-offs are explained briefly', LIKE, { scope: 'user' })] },
          { text: '📝 Noted: Trade-offs are explained briefly' },
        ],
      },
      { when: SUMMARY_MARK, steps: [{ text: 'counted' }] },
      { when: COUNT, steps: [{ status: 400, refusal: 'prompt is too long: 1010000 tokens > 1000000 maximum' }] },
      { when: END, steps: [{ calls: [state({ resolved: 'staging', progress: ['Choose where tokens live'], ended: 'done' })] }, { text: 'Done.' }] },
    ]);

    expect((await prompt(box, '/memory:start')).code).toBe(0);
    expect(session()).toMatchObject({ active: true, projectKey: 'shop', projectPath: box.project, branch: 'auth' });
    expect(readFileSync(path.join(box.config, 'workspace.md'), 'utf8')).toContain('shop');

    // No permission is given anywhere: what the agent does needs none.
    const talk = converse(client, box, '--permission-mode', 'default');
    expect(await talk.say(BEGIN)).toBe('Begun.');
    expect(await talk.say(RULES)).toBe('Kept.');
    expect(await talk.say(SCAN)).toBe('Scanned.');
    expect(await talk.say(LIKE)).toContain('📝 Noted: Trade-offs are explained briefly');
    expect(box.model.talk().some(({ text }) => text.includes('Tell the user in a line of its own: 📝 Noted: Trade-offs are explained briefly'))).toBe(true);

    // Both subagents were told the template, read the index, were kept from the state and from writing files, and each left one report.
    for (const name of ['src/cookie.ts', 'src/token.ts']) {
      const own = box.model.talk().filter(({ text }) => text.includes(`SCAN ${name}`) && !text.includes(SCAN));
      expect(FOLDER.exec(own[0]?.text ?? '')?.[1], name).toBe(path.join(root, 'subagent'));
      const last = own.at(-1)?.text ?? '';
      expect(last).toContain('## Recent Files');
      expect(last).toContain('call memory_save with');
      expect(last).toContain('A subagent only reports');
      expect(last).toMatch(/created subagent\/\S+_security-scan(?:-\w+)?\.md/);
    }
    const reports = filesIn(box, 'subagent');
    expect(reports).toHaveLength(2);
    for (const name of reports) expect(read(`subagent/${name}`)).toMatch(/lacks the httpOnly flag/);
    expect(reports.map((name) => read(`subagent/${name}`)).filter((text) => text.includes('quarantined'))).toEqual([]);

    // After a compaction the agent is told where it was.
    box.model.forget();
    await talk.say(COUNT);
    const recovery = box.model.talk().find(({ text }) => text.includes('for="recovery"'))?.text ?? '';
    for (const words of ['Make the sign-in safe', 'No key for the staging server', 'Trade-offs are explained briefly', 'Choose where tokens live'])
      expect(recovery).toContain(words);
    await talk.close();
    expect(await box.left()).toEqual([]);

    // The index holds 20 entries, the rest is in the archive, and a lost index is made again.
    holdfast(box, 'status');
    const index = read('_index.md');
    expect(index).toContain('- **Task**: Make the sign-in safe\n- **Progress**: 1/2\n- **Active Blocker**: No key for the staging server');
    expect(index.match(/^\| (?:Decision|Analysis|SubAgent|Context|Progress|Document) /gm)).toHaveLength(20);
    const { stats } = session() as { stats: Record<string, number> };
    expect(stats).toMatchObject({ decisions: 17, analyses: 1, subagentOutputs: 2 });
    expect(read('_index-archive.md').match(/^\| (?:Decision|Analysis|SubAgent|Context|Progress|Document) /gm)).toHaveLength(stats['indexArchived'] ?? 0);
    expect(read('project.md')).toContain('- The app of the shop floor');

    // The next morning starts from there, ends the task, and stops.
    box.model.forget();
    mkdirSync(path.join(root, 'memory'), { recursive: true });
    writeFileSync(path.join(root, 'memory', 'MEMORY.md'), '# Shop\n\n## Sign-in\n\n- Cookies, never tokens\n  - in every browser\n');
    writeFileSync(path.join(root, 'CLAUDE.md'), 'Ask before a migration.\n');
    await prompt(box, MORNING);
    const brief = box.model.talk()[0]?.text ?? '';
    for (const words of ['Make the sign-in safe', 'Choose where tokens live', 'No key for the staging server', 'Trade-offs are explained briefly'])
      expect(brief).toContain(words);
    expect(brief).toContain('For this project (memory/MEMORY):\n### Shop\n#### Sign-in\n- Cookies, never tokens\n  - in every browser\n');
    expect(brief).toMatch(
      /"Instructions from the user for this project" are to be followed[^]*## Instructions from the user for this project\nCLAUDE\.md \(CLAUDE\):\nAsk before a migration\./,
    );
    await prompt(box, END);
    expect(read('progress/completed.md')).toMatch(/Make the sign-in safe[^]*Choose where tokens live[^]*Resolved: No key/);
    const files = readdirSync(root, { recursive: true }).length;
    await prompt(box, '/memory:stop');
    expect(session()).toMatchObject({ active: false });
    expect(read('_index.md')).toMatch(/Status: INACTIVE[^]*- \*\*Task\*\*: None\n- \*\*Progress\*\*: None\n- \*\*Active Blocker\*\*: None/);
    expect(read('_index-archive.md')).toMatch(/## Archived Sessions\n.*\n.*\n\| \S+ \| \S+ \| \d+ \|\n/);
    expect(readdirSync(root, { recursive: true }).length).toBeGreaterThanOrEqual(files);
    expect(readdirSync(box.project)).toEqual(['.git']);
    expect(await box.left()).toEqual([]);
  });
});
