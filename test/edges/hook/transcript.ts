import fs from 'node:fs';
import path from 'node:path';
import type { Place } from '../mcp/talk.ts';

let count = 0;

/** A transcript as Claude Code writes it, that grows as a session goes on. */
export function transcript({ home, project }: Pick<Place, 'home' | 'project'>, session: string, start = '2026-03-01T10:00:00Z') {
  const file = path.join(home, 'projects', project.replace(/[^A-Za-z0-9]/g, '-'), `${session}.jsonl`);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const put = (fields: object): void => {
    count += 1;
    const timestamp = new Date(Date.parse(start) + count * 60_000).toISOString();
    const facts = { parentUuid: null, isSidechain: false, userType: 'external', cwd: project, sessionId: session, version: '2.1.197' };
    fs.appendFileSync(file, `${JSON.stringify({ ...facts, uuid: `u${count}`, timestamp, ...fields })}\n`);
  };
  const assistant = (content: readonly object[]): void =>
    put({ type: 'assistant', message: { id: `msg_${count}`, type: 'message', role: 'assistant', model: 'x', content, stop_reason: null } });
  return {
    file,
    prompt: (text: string) => put({ type: 'user', message: { role: 'user', content: text } }),
    reply: (text: string) => assistant([{ type: 'text', text }]),
    edit: (name: string) => assistant([{ type: 'tool_use', id: `t${count}`, name: 'Edit', input: { file_path: name, old_string: 'a', new_string: 'b' } }]),
    run: (command: string, output: string) => {
      const id = `t${count}`;
      assistant([{ type: 'tool_use', id, name: 'Bash', input: { command } }]);
      put({ type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: output }] } });
    },
    compact: (summary: string) => {
      put({ type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted' });
      put({ type: 'user', isCompactSummary: true, message: { role: 'user', content: summary } });
    },
  };
}
