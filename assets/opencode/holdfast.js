// Written by `holdfast init --client opencode`; `holdfast init --client opencode --remove` removes it.
// Reports the session's events to Holdfast and adds the returned text to the conversation. Holdfast makes all decisions.
import { spawn } from 'node:child_process';

const [PROGRAM, ...ARGS] = ['holdfast'];
const CLIENT = 'opencode';
const WAIT_MS = 5_000;

/** Without the variables that the client sets here and in its agent's shell: prompts reported here are typed by the user. HOLDFAST_AGENT_SHELL stays, for a client that an agent started. */
const { OPENCODE: _opencode, AGENT: _agent, ...ENV } = process.env;

/** The text that Holdfast adds for an event; empty if there is none or Holdfast does not answer. */
const ask = (event, input) =>
  new Promise((resolve) => {
    const child = spawn(PROGRAM, [...ARGS, 'hook', event, '--client', CLIENT], { cwd: input.cwd, env: ENV, stdio: ['pipe', 'pipe', 'ignore'] });
    const timer = setTimeout(() => child.kill(), WAIT_MS);
    let out = '';
    child.stdout.on('data', (chunk) => (out += chunk));
    child.stdin.on('error', () => {});
    child.on('error', () => resolve(''));
    child.on('close', () => {
      clearTimeout(timer);
      try {
        resolve(JSON.parse(out).hookSpecificOutput?.additionalContext ?? '');
      } catch {
        resolve('');
      }
    });
    child.stdin.end(JSON.stringify(input));
  });

/** Removes the quotes that `opencode run "a b"` leaves around the prompt. */
const unquoted = (text) => {
  try {
    return /^".*"$/s.test(text) ? JSON.parse(text) : text;
  } catch {
    return text;
  }
};

export const Holdfast = async ({ directory: cwd }) => {
  /** The brief of each session. Sent with every request, so it stays the same until a compaction. */
  const briefs = new Map();
  const subagents = new Set();
  /** Texts about running commands: requested while a command runs, added to its result. */
  const running = new Map();
  const start = (session_id, source) => {
    const brief = ask('SessionStart', { session_id, cwd, source });
    briefs.set(session_id, brief);
    return brief;
  };
  return {
    event: async ({ event: { type, properties } }) => {
      if (type === 'session.created' && properties.info.parentID) subagents.add(properties.info.id);
      if (type === 'session.compacted') await start(properties.sessionID, 'compact');
    },
    'chat.message': async ({ sessionID }, { message, parts }) => {
      const isSubagent = subagents.has(sessionID);
      if (!isSubagent && !briefs.has(sessionID)) await start(sessionID, 'startup');
      const prompt = unquoted(parts.flatMap(({ type, text, synthetic }) => (type === 'text' && !synthetic ? [text] : [])).join('\n'));
      if (!prompt) return;
      // A subagent's prompt comes from its parent, not from the user.
      const text = await ask('UserPromptSubmit', { session_id: sessionID, cwd, prompt, ...(isSubagent && { agent_id: sessionID }) });
      const last = parts.at(-1);
      // Parts are sorted by id.
      if (text && last) parts.push({ id: `${last.id}z`, sessionID, messageID: message.id, type: 'text', text, synthetic: true });
    },
    'shell.env': async (_shell, { env }) => {
      env.HOLDFAST_AGENT_SHELL = '1';
    },
    'tool.execute.before': async ({ tool, sessionID, callID }, { args }) => {
      if (tool === 'bash') running.set(callID, ask('PreToolUse', { session_id: sessionID, cwd, tool_name: tool, tool_input: args }));
    },
    'tool.execute.after': async ({ callID }, output) => {
      const text = await running.get(callID);
      running.delete(callID);
      if (text && typeof output.output === 'string') output.output += `\n${text}`;
    },
    'experimental.chat.system.transform': async ({ sessionID }, { system }) => {
      // The request after a compaction may come before the answer.
      const brief = await briefs.get(sessionID);
      if (brief) system.push(brief);
    },
    'experimental.session.compacting': async ({ sessionID }) => {
      await ask('PreCompact', { session_id: sessionID, cwd, trigger: 'auto' });
    },
    dispose: async () => {
      for (const session_id of briefs.keys()) await ask('SessionEnd', { session_id, cwd, reason: 'other' });
    },
  };
};
