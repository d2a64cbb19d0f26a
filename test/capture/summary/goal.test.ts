import { describe, expect, it } from 'vitest';
import { agent, user } from '../triage/talk.ts';
import { contentOf, facts } from './session.ts';

const answer = agent('I have looked into it and the details are below.');

describe('the goal', () => {
  it('is what the person asked for, without the courtesies', () => {
    expect(contentOf([user('Hey, could you please add a dark mode to the settings page?'), answer]).goal).toBe('Add a dark mode to the settings page');
  });

  it.each(['Morning!', 'Good morning,', 'Hi there!', 'Hello Claude,', 'Hey team –'])('is the task and not the salutation before it: %s', (greeting) => {
    expect(contentOf([user(`${greeting} Make the importer skip the empty rows of the supplier.`), answer]).goal).toBe(
      'Make the importer skip the empty rows of the supplier',
    );
  });

  it('is not a stray letter, while a number picks from the list that was shown', () => {
    const asked = user('Make the importer skip the empty rows of the supplier');
    expect(contentOf([user('q'), asked, answer]).goal).toBe('Make the importer skip the empty rows of the supplier');
    expect(contentOf([user('?'), answer, user('2'), answer]).goal).not.toBe('?');
  });

  it('is the title of a plan that was handed over', () => {
    const told = 'The prices are fetched on every request. Every page waits for it a second.';
    const plan = `Implement the following plan:\n\n# Plan: Cache the price list\n\n## Context\n\n${told}\n`;
    const content = contentOf([user(plan), answer]);
    expect(content.goal).toBe('Cache the price list');
    expect(content.context).toBe(told);
  });

  it('is told in the words of the list where the person picked a number', () => {
    const shown = (list: string) => [user('What is there to do?'), agent(list), user('3 but on this branch, since it belongs here')];
    for (const list of [
      '| # | Title |\n|---|---|\n| 2 | Mend the filter |\n| 3 | Add a login for tests | today |',
      'Open:\n2. Mend the filter\n3. **Add a login for tests**',
    ])
      expect(contentOf([...shown(list), answer]).goal).toContain('Add a login for tests, but on this branch, since it belongs here');
    expect(contentOf([user('3 but on this branch, since it belongs here'), answer]).goal).toBe('3 but on this branch, since it belongs here');
  });

  it('leaves out prompts that only move the work along', () => {
    const prompts = ['commit', 'ok, continue', 'yes', 'Please commit and push'];
    const content = contentOf([user('Fix the broken login redirect'), answer, ...prompts.flatMap((prompt) => [user(prompt), answer])]);
    expect(content.goal).toBe('Fix the broken login redirect');
  });

  it('names what was asked later', () => {
    const content = contentOf([user('Fix the broken login redirect'), answer, user('Now add a test for the expired session as well'), answer]);
    expect(content.goal).toBe('Fix the broken login redirect. Asked after that: Now add a test for the expired session as well');
  });

  it('is told in whole sentences: a long request ends where a sentence or a clause of it ends', () => {
    const long = 'The importer drops the last row of a sheet when the row has no price. Please make it keep such rows, and write a test for it. '.repeat(4);
    expect(contentOf([user(long), answer]).goal).toMatch(/^The importer drops .*[.]?$/);
    expect(contentOf([user(long), answer]).goal).not.toContain('…');
  });

  it('and what was asked later are never thanks and small talk', () => {
    const content = contentOf([
      user('Fix the broken login redirect'),
      answer,
      user('Great, thanks a lot for your help today, see you!'),
      answer,
      user('thank you so much'),
    ]);
    expect(content.goal).toBe('Fix the broken login redirect');
    expect(content.next_actions).toEqual([]);
  });

  it('takes a prompt sent again, mended, once', () => {
    const content = contentOf([user('Fix the login redirect on the accounts pge'), user('Fix the login redirect on the accounts page'), answer]);
    expect(content.goal).toBe('Fix the login redirect on the accounts page');
  });

  it('leaves out a pasted picture and a pasted log', () => {
    expect(contentOf([user('[Image #1] Can you please align the two buttons?'), answer]).goal).toBe('Align the two buttons');
    expect(contentOf([user('The worker crashes at night: [12:30:01] ERROR pool exhausted'), answer]).goal).toBe('The worker crashes at night');
  });

  it('is what was asked, not a command line that was pasted with what it printed', () => {
    const paste = '❯ git-sync replicate --all-refs https://example.com/a.git\nexample://b/c\nerror: replicate: unsupported scheme';
    expect(contentOf([user(paste), answer, user('Why does the command line of git work with this scheme?'), answer]).goal).toBe(
      'Why does the command line of git work with this scheme?',
    );
    expect(contentOf([user(`${paste}\n\nWhy does this scheme fail?`), answer]).goal).toBe('Why does this scheme fail?');
    expect(contentOf([user(paste), answer]).goal).toContain('git-sync replicate');
  });

  it('names no bare answer as a later request', () => {
    const content = contentOf([user('Fix the broken login redirect'), answer, user('Yes. Run the linter over the tests first.'), answer]);
    expect(content.goal).toBe('Fix the broken login redirect. Asked after that: Run the linter over the tests first');
  });

  it('never holds injected memory or what was marked private', () => {
    const fenced = '<holdfast-memory source="recall">We chose Redis because it is fast.</holdfast-memory>\nRename the queue module\n<private>key 42</private>';
    const text = JSON.stringify(contentOf([user(fenced), answer]));
    expect(text).toContain('Rename the queue module');
    expect(text).not.toMatch(/Redis|key 42/);
  });

  it('falls back to the title of the session, and says when nobody stated one', () => {
    expect(contentOf([user('commit'), answer], { ...facts, title: 'Release chores' }).goal).toBe('Release chores');
    expect(contentOf([]).goal).toBe('No goal was stated');
  });
});
