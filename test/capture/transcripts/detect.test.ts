import { describe, expect, it } from 'vitest';
import { detectFormat } from '../../../src/capture/transcripts/detect.ts';
import { fixture } from './reading.ts';

describe('detectFormat', () => {
  it.each([
    ['claude-code-1.0.jsonl', 'claude-code'],
    ['claude-code-2.0.jsonl', 'claude-code'],
    ['claude-code-2.1.jsonl', 'claude-code'],
    ['agent-1a2b3c4d.jsonl', 'claude-code'],
    ['rollout-2025-07-01T10-00-00-019b64e5-0000-7000-8000-000000000004.jsonl', 'codex'],
    ['session-2025-07-01T10-00-7d0c1f00.jsonl', 'gemini'],
    ['session-2025-07-01T10-00-7d0c1f00.json', 'gemini'],
    ['opencode-export.json', 'opencode'],
    ['chat.jsonl', 'chat'],
  ])('%s is %s', (name, client) => {
    const text = fixture(name);
    expect(detectFormat(text.split('\n').slice(0, 50))).toBe(client);
    if (name.endsWith('.json')) expect(detectFormat([JSON.stringify(JSON.parse(text))])).toBe(client);
  });

  it.each<[string, string[], string]>([
    ['an empty file', [], '/home/dev/.claude/projects/-p/a.jsonl'],
    ['a log', ['[16:29:14.606] Starting up'], '/home/dev/.claude/projects/-p/a.jsonl'],
    ['notes', ['# Notes', '', '{"a":1}'], 'notes.md'],
    ['a journal of a workflow', ['{"type":"started","key":"k","agentId":"a"}'], '/p/projects/-p/s/subagents/workflows/w/journal.jsonl'],
    ['another tool', ['{"type":"session","id":"x","cwd":"/p"}', '{"type":"message","message":{"role":"user"}}'], 'x.jsonl'],
    ['settings', ['{', '  "info": "x",', '  "sessionId": 1', '}'], 'settings.json'],
  ])('%s is none', (_, lines, path) => expect(detectFormat(lines, path)).toBeUndefined());

  it.each([
    ['/home/dev/.codex/sessions/2026/01/02/rollout-2026-01-02T03-04-05-x.jsonl', 'codex'],
    ['/home/dev/.gemini/tmp/p/chats/session-2026-01-02T03-04-abc.jsonl', 'gemini'],
    ['C:\\Users\\dev\\.claude\\projects\\-p\\s.jsonl', 'claude-code'],
    ['/home/dev/.claude/projects/-p/s/subagents/agent-1.jsonl', 'claude-code'],
  ])('a damaged file is known by its place: %s', (path, client) => expect(detectFormat(['{"parentUuid":nul', '{"cut'], path)).toBe(client));

  it('does not give up at a broken first line', () => {
    expect(detectFormat(['{"broken', ...fixture('chat.jsonl').split('\n')])).toBe('chat');
  });
});
