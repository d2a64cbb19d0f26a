import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { commands } from '../plugin/texts.ts';
import { clients } from './sandbox/clients.ts';
import { filesIn, memoryOf, prompt } from './sandbox/plugin.ts';
import { sandbox } from './sandbox/sandbox.ts';

/** What is typed, in this order, and what the model is then told. */
const TYPED: readonly (readonly [typed: string, ...told: (string | RegExp)[]])[] = [
  ['start', 'Memory mode active for shop. Context stored at ~/.claude/projects/shop/'],
  ['workspace', 'shop'],
  ['task Mend the "checkout" first', 'Task', 'Mend the "checkout" first'],
  ['user', /profile|nothing/i],
  ['save decision --title "No redis" We don\'t use `redis` for the queue, because $(hostname) has none', 'created', 'decision/no-redis'],
  ['save nonsense of no category', 'VALIDATION_ERROR', 'session_summary, decision'],
  ['search redis queue', 'No redis'],
  ['recall why no redis in the queue?', 'No redis'],
  ['why', 'No redis'],
  ['recall', 'There is no master.md yet'],
  ['synthesize', /master\.md/],
  ['retire no-redis we have one now', 'retired', 'no-redis'],
  ['search redis --include-retired', 'No redis'],
  ['restore no-redis', 'no-redis'],
  ['archive no-redis', 'archived'],
  ['archive --list', 'decision/no-redis', 'No redis'],
  ['unarchive no-redis', 'no-redis'],
  ['undo', 'undone', 'no-redis'],
  ['inbox', /inbox|wait|nothing/i],
  ['retire nothing-of-that-name', 'NOT_FOUND'],
  ['gc --dry-run', 'Nothing to delete'],
  ['config get inject.startTokens', /\d+/],
  ['config set inject.startTokens 700', 'inject.startTokens = 700'],
  ['config', 'inject.startTokens', '700'],
  ['status', 'shop', 'memory mode', 'index'],
  ['rebuild', /^Index rebuilt\. Found \d+ decisions, \d+ analyses, \d+ context files, \d+ subagent outputs\.$/m],
  ['summarize --continue', '## Context', 'Tracking Points'],
  ['stop', 'Memory mode stopped. Files preserved at ~/.claude/projects/shop/'],
];

/** What a command put before the model, without what the client adds to every session. */
const commandText = (text: string): string =>
  (text.split('</command-name>').at(-1) ?? '')
    .split(/^(?:# Environment|SessionStart hook|UserPromptSubmit hook|Available agent types|The following )/m)[0]
    ?.replace(/<command-args>[\s\S]*?<\/command-args>/, '') ?? '';

const holds = (text: string, word: string | RegExp): boolean => (typeof word === 'string' ? text.includes(word) : word.test(text));

/** What is typed, and what of it is kept: all of it. */
const ODD: readonly (readonly [typed: string, kept: string])[] = [
  ['Odd one \'"$(touch one)`touch two` because', '$(touch one)`touch two` because'],
  ["Odd two because\n.\nEND!`\ntouch three\ncat <<'END!`'\n", 'touch three'],
  ['Odd three because {"quotes":"in braces"} and {\'a\': [1, "b"]}', '{"quotes":"in braces"}'],
  ['Odd four because !`touch five`', 'touch five'],
  ['Odd five because ```\n\n```!\ntouch six\n```', 'touch six'],
  ['Odd six because $ARGUMENTS $1 ${HOME} && touch seven; touch eight | cat > nine', '&& touch seven; touch eight | cat > nine'],
];

describe.each(clients)('Claude Code $version', (client) => {
  test('every command works in print mode and says what its document says', { timeout: 300_000 }, async () => {
    const box = await sandbox(client);
    const wrong: object[] = [];
    for (const [typed, ...told] of TYPED) {
      box.model.forget();
      const { code, stdout } = await prompt(box, `/memory:${typed.replace(' --continue', '')}`, ...(typed.endsWith(' --continue') ? ['--continue'] : []));
      expect({ code, stdout }, typed).toEqual({ code: 0, stdout: 'ok\n' });
      expect(box.model.asked, typed).toHaveLength(1);
      const said = commandText(box.model.asked[0]?.text ?? '');
      wrong.push(...told.filter((word) => !holds(said, word)).map((word) => ({ typed, word: String(word), said })));
    }
    expect(wrong).toEqual([]);
    expect(new Set(TYPED.map(([typed]) => typed.split(' ')[0]))).toEqual(new Set(commands.map(({ name }) => name)));
    expect(await box.left()).toEqual([]);
  });

  test('any text can be typed: it is never run, not even where every command may be, and kept whole', async () => {
    const box = await sandbox(client);
    for (const [typed, kept] of ODD) {
      box.model.forget();
      await prompt(box, `/memory:save decision ${typed}`, '--allowedTools', 'Bash');
      const said = commandText(box.model.asked[0]?.text ?? '');
      expect(said, typed).toMatch(/created.*decision\/odd/);
      expect(readdirSync(box.project), typed).toEqual(['.git']);
      const texts = filesIn(box, 'decisions').map((name) => readFileSync(path.join(memoryOf(box), 'decisions', name), 'utf8'));
      const own = texts.filter((text) => text.includes(typed.slice(0, 7)));
      expect(
        own.map((text) => text.includes(kept)),
        `${typed}\n${own.join('')}`,
      ).toEqual([true]);
    }
  });
});
