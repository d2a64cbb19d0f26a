// Written by `holdfast init --client opencode`; `holdfast init --client opencode --remove` removes it.
// Tells the session's events to Holdfast and hands on what it answers; every decision is Holdfast's.
import { spawn } from 'node:child_process';

const [PROGRAM, ...ARGS] = ['holdfast'];
const WAIT_MS = 5_000;

/** The context that Holdfast has for an event; empty where it has none or cannot be asked. */
const ask = (event, input) =>
  new Promise((resolve) => {
    const child = spawn(PROGRAM, [...ARGS, 'hook', event, '--client', 'opencode'], { cwd: input.cwd, stdio: ['pipe', 'pipe', 'ignore'] });
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

export const Holdfast = async ({ directory: cwd }) => {
  /** What each session was told at its start; sent with every request, so it stays the same until a compaction. */
  const briefs = new Map();
  const subagents = new Set();
  const start = async (session_id, source) => briefs.set(session_id, await ask('SessionStart', { session_id, cwd, source }));
  return {
    event: async ({ event: { type, properties } }) => {
      if (type === 'session.created' && properties.info.parentID) subagents.add(properties.info.id);
      if (type === 'session.compacted') await start(properties.sessionID, 'compact');
    },
    'chat.message': async ({ sessionID }, { message, parts }) => {
      // A subagent's prompt is the parent's words, not the user's.
      if (subagents.has(sessionID)) return;
      if (!briefs.has(sessionID)) await start(sessionID, 'startup');
      const prompt = parts.flatMap(({ type, text, synthetic }) => (type === 'text' && !synthetic ? [text] : [])).join('\n');
      const text = await ask('UserPromptSubmit', { session_id: sessionID, cwd, prompt });
      const last = parts.at(-1);
      // Parts are sorted by id.
      if (text && last) parts.push({ id: `${last.id}z`, sessionID, messageID: message.id, type: 'text', text, synthetic: true });
    },
    'experimental.chat.system.transform': async ({ sessionID }, { system }) => {
      const brief = briefs.get(sessionID);
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
