import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectHash } from '../../../src/bin/library.ts';
import { context } from './opened.ts';

describe('MEMORY.md', () => {
  test('is told at every start, that of the project and the one for all projects', async () => {
    const { write, root, home, brief: tell } = await context({ user: ['Short functions'] });
    write(path.join(root, 'memory', 'MEMORY.md'), '## Session Summary - 2026-02-03 10:30\n\n### Key Decisions\n- A token bucket for the rate limit\n');
    write(path.join(home, 'MEMORY.md'), '# Patterns\n\n- Feature flags before releases\n');
    const { text } = await tell();
    expect(text).toMatch(
      /For this project \(memory\/MEMORY\):\n#### Session Summary - 2026-02-03 10:30\n##### Key Decisions\n- A token bucket for the rate limit/,
    );
    expect(text).toMatch(/For all projects \(MEMORY\):\n### Patterns\n- Feature flags before releases/);
  });

  test('of all projects is told where there is no profile, and what lies under the hash of the project in place of its own', async () => {
    const { write, root, home, project, brief: tell } = await context();
    write(path.join(home, 'MEMORY.md'), '- Feature flags before releases\n');
    write(path.join(root, 'CLAUDE.md'), 'Ask before a migration.\n');
    write(path.join(root, 'memory', 'MEMORY.md'), '- By key\n');
    expect((await tell()).text).toMatch(
      /## Instructions from the user for this project\nCLAUDE\.md \(CLAUDE\):\nAsk before a migration\.\n[^]*Feature flags[^]*\(memory\/MEMORY\):\n- By key/,
    );
    const byHash = path.join(home, 'projects', projectHash(project));
    write(path.join(byHash, 'CLAUDE.md'), 'Never on Fridays.\n');
    write(path.join(byHash, 'memory', 'MEMORY.md'), '- By hash\n');
    const { text } = await tell();
    expect(text).toMatch(/Never on Fridays\.[^]*\(memory\/MEMORY\):\n- By hash/);
    expect(text).not.toMatch(/By key|Ask before/);
  });

  const parts = (count: number): string =>
    Array.from(
      { length: count },
      (_, at) => `## Part ${at + 1}\n\n- First rule of part ${at + 1}\n  - with a detail that stands below it\n- Second rule ${'of many words '.repeat(8)}\n`,
    ).join('\n');

  test('keeps its headings and lines, takes the room that inject.startTokens allows, and is cut by section with a notice', async () => {
    const shown = async (startTokens: number): Promise<string> => {
      const { write, root, brief: tell } = await context({ config: { inject: { startTokens } } });
      write(path.join(root, 'memory', 'MEMORY.md'), `# Shop\n\n${parts(20)}`);
      return (await tell()).text;
    };
    const [small, large, all] = [await shown(300), await shown(1500), await shown(20_000)];
    expect(small).toContain('### Shop\n#### Part 1\n- First rule of part 1\n  - with a detail that stands below it\n- Second rule');
    expect(small).toMatch(/\n… \(cut: 1\d more sections: Part \d+, Part \d+, Part \d+, Part \d+ …; in full: memory\/MEMORY\)\n/);
    expect(large.length).toBeGreaterThan(small.length * 2);
    expect(large).toMatch(/… \(cut: \d+ more sections/);
    expect(all).toContain('#### Part 20\n- First rule of part 20');
    expect(all).not.toContain('(cut:');
    for (const text of [small, large, all]) expect(text.match(/^## .*$/gm)).toEqual(expect.arrayContaining(['## MEMORY.md']));
    expect(large.match(/^## Part/m)).toBeNull();
  });

  test('leaves out a section that is too long with all below it, and shows the shorter ones after it', async () => {
    const { write, root, brief: tell } = await context();
    const long = Array.from({ length: 90 }, (_, at) => `- Entry ${at} about a day at the till with many customers`).join('\n');
    write(
      path.join(root, 'memory', 'MEMORY.md'),
      `# Shop\n\n## Rules\n\n- Count twice\n\n## Diary\n\n${long}\n\n### Sundays\n\n- Closed\n\n## Contacts\n\n- Ask the keeper\n`,
    );
    const { text } = await tell();
    expect(text).toContain('#### Rules\n- Count twice\n#### Contacts\n- Ask the keeper\n… (cut: 2 more sections: Diary, Sundays; in full: memory/MEMORY)');
    expect(text).not.toContain('Closed');
  });

  test('finds room in the brief of a project that has much to tell, before its records do', async () => {
    const { write, root, brief: tell, keep } = await context();
    for (let at = 0; at < 30; at += 1) await keep('decision', `Decision ${at} about the till ${'and its many parts '.repeat(6)} because of reason ${at}`);
    write(path.join(root, 'memory', 'MEMORY.md'), parts(20));
    expect((await tell()).text).toContain('#### Part 1\n- First rule of part 1\n  - with a detail');
  });

  test('the user’s own instructions for a project are introduced as such, and the notes beside them are not', async () => {
    const { write, root, brief: tell } = await context();
    write(path.join(root, 'memory', 'MEMORY.md'), '- By key\n');
    expect((await tell()).text).toContain('notes, not instructions, maybe outdated');
    write(path.join(root, 'CLAUDE.md'), '# Rules\n\nAsk before a migration.\n');
    const { text } = await tell();
    expect(text).toMatch(/"Instructions from the user for this project" are to be followed; the rest are notes, not instructions/);
    expect(text).toContain('## Instructions from the user for this project\nCLAUDE.md (CLAUDE):\n### Rules\nAsk before a migration.');
  });
});
