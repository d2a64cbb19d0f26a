import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readCall } from '../../../src/app/hooks/call.ts';
import { presentAnswer } from '../../../src/app/hooks/present-answer.ts';
import { environment, place, type Place } from '../mcp/talk.ts';
import { PROGRAM, runProgram } from '../cli/program.ts';

const DECISION = 'Invoices are numbered per country because the law asks for it';
const ASKED = 'Why are invoices numbered per country?';

function remembering(): Place {
  const there = place({ mode: 'auto' });
  for (const words of [
    ['config', 'set', 'on', 'true'],
    ['save', 'decision', DECISION],
    ['save', 'preference', 'Never commit files under docs/plans'],
  ])
    expect(runProgram(words, { cwd: there.project, env: environment(there) })).toMatchObject({ code: 0 });
  return there;
}

/** What the client's hook prints for an event. */
function hook(there: Place, client: string, event: string, input: object): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, [PROGRAM, 'hook', event, '--client', client], {
    cwd: there.project,
    env: environment(there),
    input: JSON.stringify(input),
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

describe('Gemini CLI', () => {
  test('after /clear and /compress the brief comes with the next prompt, once, and PreCompress prints nothing', () => {
    const there = remembering();
    const common = { cwd: there.project, session_id: 'g1', transcript_path: path.join(there.project, 'none.jsonl') };
    expect(hook(there, 'gemini', 'SessionStart', { ...common, source: 'clear' })).toBe('');
    expect(hook(there, 'gemini', 'BeforeAgent', { ...common, prompt: 'hello there' })).toContain('for=\\"start\\"');
    expect(hook(there, 'gemini', 'BeforeAgent', { ...common, prompt: 'hello there' })).toBe('');
    expect(hook(there, 'gemini', 'PreCompress', { ...common, trigger: 'manual' })).toBe('');
    expect(hook(there, 'gemini', 'BeforeAgent', { ...common, prompt: 'hello there' })).toContain('for=\\"recovery\\"');
    expect(hook(there, 'gemini', 'BeforeAgent', { ...common, prompt: 'hello there' })).toBe('');
  });

  test('a compression that no event told of shows in the tokens that its chat notes', () => {
    const there = remembering();
    const chat = path.join(there.project, 'session-1.jsonl');
    const row = (type: string, input?: number): string => JSON.stringify({ id: `${type}${input}`, type, content: 'x', ...(input && { tokens: { input } }) });
    const ask = (...rows: readonly string[]): string => {
      fs.writeFileSync(chat, rows.join('\n'));
      return hook(there, 'gemini', 'BeforeAgent', { cwd: there.project, session_id: 'g2', transcript_path: chat, prompt: 'hello there' });
    };
    const before = [row('user'), row('gemini', 80_000)];
    expect(ask(...before, row('user'), row('gemini', 81_000))).toBe('');
    expect(ask(...before, row('user'), row('gemini', 20_000))).toContain('for=\\"recovery\\"');
    expect(ask(...before, row('user'), row('gemini', 20_000), row('user'), row('gemini', 21_000))).toBe('');
  });
});

describe('a compaction in the middle of a turn', () => {
  const ls = { command: 'ls' };

  test.each([
    ['copilot', 'preCompact', 'preToolUse', { toolName: 'bash', toolArgs: ls }, 'userPromptSubmitted'],
    ['cursor', 'preCompact', 'preToolUse', { conversation_id: 's', tool_name: 'Shell', tool_input: ls }, 'beforeSubmitPrompt'],
    ['qwen', 'PreCompact', 'PostToolUse', { tool_name: 'run_shell_command', tool_input: ls }, 'UserPromptSubmit'],
    ['droid', 'PreCompact', 'PostToolUse', { tool_name: 'Execute', tool_input: ls }, 'UserPromptSubmit'],
  ])('is recovered from at the next command of %s, once', (client, compacts, tool, input, prompt) => {
    const there = remembering();
    const common = { cwd: there.project, session_id: 's', trigger: 'auto' };
    expect(hook(there, client, tool, { ...common, ...input })).toBe('');
    expect(hook(there, client, compacts, { ...common, ...('conversation_id' in input && { conversation_id: 's' }) })).toBe('');
    // A subagent's context is its own.
    expect(hook(there, client, tool, { ...common, ...input, agent_id: 'a1' })).toBe('');
    expect(hook(there, client, tool, { ...common, ...input })).toMatch(/for=\\"recovery\\".*numbered per country/);
    expect(hook(there, client, tool, { ...common, ...input })).toBe('');
    expect(hook(there, client, prompt, { ...common, ...('conversation_id' in input && { conversation_id: 's' }), prompt: 'hello there' })).toBe('');
  });

  test('that Droid tells no hook of shows in its transcript', () => {
    const there = remembering();
    const transcript = path.join(there.project, 'd1.jsonl');
    const row = (type: string, id: string): string => `${JSON.stringify({ type, id, summaryText: 'x', message: { role: 'user', content: [] } })}\n`;
    const common = { cwd: there.project, session_id: 'd1', transcript_path: transcript };
    const executes = (): string => hook(there, 'droid', 'PostToolUse', { ...common, tool_name: 'Execute', tool_input: ls });
    fs.writeFileSync(transcript, row('session_start', 'd1') + row('message', 'm1'));
    expect(executes()).toBe('');
    fs.appendFileSync(transcript, row('compaction_state', 'c1') + row('message', 'm2'));
    expect(executes()).toMatch(/for=\\"recovery\\".*numbered per country/);
    expect(executes()).toBe('');
    fs.appendFileSync(transcript, row('compaction_state', 'c2'));
    expect(hook(there, 'droid', 'UserPromptSubmit', { ...common, prompt: 'hello there' })).toContain('for=\\"recovery\\"');
    expect(executes()).toBe('');
  });
});

describe('what applies to a command', () => {
  const tool = { tool_name: 'run_shell_command', tool_input: { command: 'git commit -m x' } };

  test.each([
    ['codex', 'PreToolUse', { tool_name: 'Bash', tool_input: tool.tool_input }],
    ['gemini', 'AfterTool', tool],
    ['qwen', 'PostToolUse', tool],
    ['copilot', 'preToolUse', { toolName: 'bash', toolArgs: tool.tool_input }],
    ['cursor', 'preToolUse', { conversation_id: 'c', tool_name: 'Shell', tool_input: tool.tool_input }],
    ['opencode', 'PreToolUse', { tool_name: 'bash', tool_input: tool.tool_input }],
    ['droid', 'PostToolUse', { tool_name: 'Execute', tool_input: tool.tool_input }],
    ['cline', 'PreToolUse', { taskId: 'c', tool_call: { name: 'run_commands', input: { commands: ['ls', 'git commit -m x'] } } }],
  ])('reaches %s at %s', (client, event, input) => {
    const there = remembering();
    expect(hook(there, client, event, { cwd: there.project, session_id: 's', ...input })).toContain('docs/plans');
    const quiet = JSON.parse(JSON.stringify(input).replaceAll('commit -m x', 'status')) as object;
    expect(hook(there, client, event, { cwd: there.project, session_id: 't', ...quiet })).toBe('');
  });
});

describe('a prompt', () => {
  test('of a subagent is answered with what fits its task and heard as nobody’s word', () => {
    const there = remembering();
    const input = { cwd: there.project, session_id: 's', prompt: ASKED, agent_id: 'a1', agent_type: 'worker' };
    const said = hook(there, 'codex', 'UserPromptSubmit', input);
    expect(said).toContain('numbered per country');
    expect(said).not.toContain('for=\\"start\\"');
  });

  test('without words says nothing', () => {
    const there = remembering();
    expect(hook(there, 'qwen', 'UserPromptSubmit', { cwd: there.project, session_id: 's', prompt: '' })).toBe('');
  });

  test.each([
    ['copilot', 'userPromptSubmitted', { sessionId: 's', prompt: ASKED }, 'additionalContext'],
    ['cursor', 'beforeSubmitPrompt', { conversation_id: 's', prompt: ASKED, workspace_roots: [] as string[] }, 'additional_context'],
    ['qwen', 'UserPromptSubmit', { session_id: 's', prompt: ASKED }, 'hookSpecificOutput'],
  ])('of %s is answered in its own form', (client, event, input, field) => {
    const there = remembering();
    const given = 'workspace_roots' in input ? { ...input, workspace_roots: [there.project] } : { ...input, cwd: there.project };
    const said = JSON.parse(hook(there, client, event, given)) as Record<string, unknown>;
    expect(Object.keys(said)).toEqual([field]);
    expect(JSON.stringify(said)).toContain('numbered per country');
  });
});

test('Cursor gets nothing from the hooks that are registered for Claude Code', () => {
  const there = remembering();
  const input = { conversation_id: 'c1', session_id: 'c1', cursor_version: '2.0', cwd: there.project, source: 'startup' };
  expect(hook(there, 'claude-code', 'SessionStart', input)).toBe('');
  expect(hook(there, 'cursor', 'sessionStart', input)).toContain('numbered per country');
});

test('context for Codex stays below 2,500 tokens of four bytes, and its fence is closed', () => {
  for (const text of ['a'.repeat(30_000), 'ü'.repeat(9_000), '😀'.repeat(4_000)]) {
    const context = `<holdfast-memory>${text}</holdfast-memory>`;
    const shown = (JSON.parse(presentAnswer('SessionStart', { context }, 'codex')) as { hookSpecificOutput: { additionalContext: string } }).hookSpecificOutput;
    expect(Buffer.byteLength(shown.additionalContext)).toBeLessThan(10_000);
    expect(Buffer.byteLength(shown.additionalContext)).toBeGreaterThan(6_000);
    expect(shown.additionalContext.endsWith('…\n</holdfast-memory>')).toBe(true);
  }
});

test('a placeholder that a client did not fill is no value', () => {
  expect(readCall('UserPromptSubmit', { session_id: 's', prompt: 'hi', agent_id: '${agent_id}' })).toEqual({
    ok: true,
    value: { event: 'UserPromptSubmit', session: 's', prompt: 'hi' },
  });
});
