import { describe, expect, test } from 'vitest';
import { clients } from './sandbox/clients.ts';
import { sandbox } from './sandbox/sandbox.ts';

test('there are clients to test with', () => {
  expect(clients.map(({ version }) => version)).toEqual(['2.1.197', '2.1.325']);
});

describe.each(clients)('Claude Code $version in its sandbox', (client) => {
  test('plays its script, asks nothing else and leaves no process', async () => {
    const box = await sandbox(client);
    const echo = { tool: 'Bash', input: { command: 'echo $((20 - 3)) $HOME', description: 'what this shell knows' } };
    box.model.play([{ when: 'greet me', steps: [{ calls: [echo] }, { text: 'hello back' }] }]);
    const { stdout, code } = await box.run('-p', 'greet me', '--allowedTools', 'Bash');
    expect({ stdout, code }).toEqual({ stdout: 'hello back\n', code: 0 });
    expect(box.model.asked).toHaveLength(2);
    expect(box.model.asked[1]?.text).toContain(`17 ${box.home}`);
    expect(box.model.strange).toEqual([]);
    expect(box.living()).toEqual([]);
  });

  test('goes on after an error of the model', async () => {
    const box = await sandbox(client);
    box.model.play([{ when: 'greet me', steps: [{ status: 400 }] }]);
    const { stdout, code } = await box.run('-p', 'greet me');
    expect(code).toBe(1);
    expect(stdout).toContain('scripted error');
  });
});
