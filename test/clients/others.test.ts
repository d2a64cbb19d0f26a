import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { spawnProgram } from '../edges/cli/program.ts';
import { PATIENCE } from '../patience.ts';
import { scratch } from '../scratch.ts';
import { startPlainModel } from './model/plain-model.ts';
import { configure, isThere, OTHER_CLIENTS, otherEnvironment, runClient } from './sandbox/other-clients.ts';
import { processesWith } from './sandbox/processes.ts';

const DECISION = 'Invoices are numbered per country because the law asks for it';
const PROMPT = 'How do we number invoices of Spain?';
const UNRELATED = 'Rename the button on the login page';

describe.each(OTHER_CLIENTS)('$name', (client) => {
  const { name, command } = client;

  test.skipIf(!isThere(client))(
    'after init its first request holds a decision that was saved elsewhere, an unrelated prompt recalls nothing, its conversations are imported, and nothing runs on',
    async () => {
      const model = await startPlainModel();
      onTestFinished(() => model.close());
      const home = scratch();
      const project = path.join(home, 'shop');
      mkdirSync(project);
      configure(client, home, model.url);
      const env = otherEnvironment(home, model.url, `other-${name}`);
      const holdfast = (...words: readonly string[]) => spawnProgram(words, { cwd: project, env });
      expect(holdfast('init', '--client', name, '--yes')).toMatchObject({ code: 0 });
      expect(holdfast('save', 'decision', DECISION)).toMatchObject({ code: 0 });

      for (const prompt of [PROMPT, UNRELATED]) expect(await runClient([...command, prompt], project, env)).toContain('I have noted it.');
      const [question = '', unrelated = ''] = [PROMPT, UNRELATED].map((prompt) => model.asked.find((body) => body.includes(prompt)) ?? '');
      expect(question).toContain('numbered per country');
      expect(question).toContain('holdfast-memory');
      expect(unrelated).toMatch(/for=\\*"start/);
      expect(unrelated).not.toMatch(/for=\\*"prompt/);
      expect(holdfast('doctor').out).toContain(`client  ${name}: set up by holdfast init; hooks have run`);

      expect(holdfast('import')).toMatchObject({ code: 0 });
      const { clients } = JSON.parse(holdfast('status', '--json').out) as { clients: { client: string; sessions: number }[] };
      expect(clients).toMatchObject([{ client: name, sessions: 2 }]);
      const hits = (query: string): string => holdfast('search', query, '--kind', 'message', '--json').out;
      expect(hits('number invoices Spain')).toContain(PROMPT);
      expect(hits('rename button login')).toContain(UNRELATED);
      // What memory said is not imported as something that was said.
      expect(hits('numbered per country')).not.toContain('the law asks');
      expect(holdfast('init', '--client', name, '--remove', '--yes')).toMatchObject({ code: 0 });
      // A session is finished in the background.
      await vi.waitFor(() => expect(processesWith(`HOLDFAST_SANDBOX=other-${name}`)).toEqual([]), PATIENCE);
    },
  );
});
