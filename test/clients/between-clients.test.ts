import { describe, expect, onTestFinished, test } from 'vitest';
import { startPlainModel } from './model/plain-model.ts';
import { clients } from './sandbox/clients.ts';
import { configure, isThere, OTHER_CLIENTS, otherEnvironment, runClient } from './sandbox/other-clients.ts';
import { holdfast, prompt } from './sandbox/plugin.ts';
import { sandbox, type Sandbox } from './sandbox/sandbox.ts';

const SAID = 'Remember: invoices are numbered per country, because the law asks for it';
const SAVED = {
  category: 'decision',
  text: 'Invoices are numbered per country because the law asks for it',
  asked: 'Remember: invoices are numbered per country',
};
/** Nothing but the conversation tells of it. */
const RULE = 'Never commit generated files to the repository';
const GET = 'mcp__plugin_memory_holdfast__memory_get';

/** Clients in which a word of the user is saved at once. In print mode Gemini CLI offers only tools of trusted servers. */
const HEARING = OTHER_CLIENTS.filter(({ name }) => ['codex', 'gemini', 'opencode'].includes(name)).map((client) =>
  client.name === 'gemini' ? { ...client, command: [client.command[0] ?? '', '--approval-mode', 'yolo', ...client.command.slice(1)] } : client,
);

interface Kept {
  readonly id: string;
  readonly title: string;
}

const recordsOf = (box: Sandbox): readonly Kept[] => {
  const { records } = JSON.parse(holdfast(box, 'list', '--json')) as { records: readonly Kept[] };
  return records;
};

const [newest] = clients.toReversed();

describe.each(HEARING)('$name', (client) => {
  test.skipIf(!isThere(client) || newest === undefined)(
    'a decision that was saved in it is in Claude Code’s first request and names it; nothing is kept twice when the conversations are imported too',
    async () => {
      if (!newest) return;
      const { name, command } = client;
      const box = await sandbox(newest);
      const model = await startPlainModel();
      onTestFinished(() => model.close());
      configure(client, box.home, model.url);
      const env = { ...otherEnvironment(box.home, model.url, box.env['HOLDFAST_SANDBOX'] ?? ''), CLAUDE_CONFIG_DIR: box.config };
      holdfast(box, 'init', '--client', name, '--yes');

      model.calls.push({ tool: 'memory_save', input: SAVED });
      for (const words of [SAID, RULE]) expect(await runClient([...command, words], box.project, env)).toContain('I have noted it.');
      expect(model.calls).toEqual([]);
      const decisions = () => recordsOf(box).filter(({ title }) => /numbered per country/i.test(title));
      expect(decisions()).toHaveLength(1);
      const id = decisions()[0]?.id ?? '';
      expect(holdfast(box, 'show', id)).toContain(`\norigin:\n  channel: agent\n  client: ${name}\n`);

      box.model.play([{ when: 'Good morning', steps: [{ calls: [{ tool: GET, input: { ids: [id] } }] }, { text: 'Good morning.' }] }]);
      await prompt(box, 'Good morning');
      const [first, second] = box.model.talk();
      expect(first?.text).toContain('Invoices are numbered per country');
      expect(second?.text).toContain(`client: ${name}`);

      // The same rule is told to Claude Code, and everything that both said is taken in.
      await prompt(box, RULE);
      expect(await box.left()).toEqual([]);
      holdfast(box, 'import');
      const { clients: seen } = JSON.parse(holdfast(box, 'status', '--json')) as { clients: readonly { client: string; sessions: number }[] };
      expect(seen).toEqual(
        expect.arrayContaining([expect.objectContaining({ client: name, sessions: 2 }), expect.objectContaining({ client: 'claude-code' })]),
      );
      const rules = recordsOf(box).filter(({ title }) => /generated files/.test(title));
      expect(rules).toHaveLength(1);
      expect(holdfast(box, 'show', rules[0]?.id ?? '')).toContain(`\norigin:\n  channel: capture\n  client: ${name}\n`);
      expect(decisions()).toHaveLength(1);
    },
  );
});
