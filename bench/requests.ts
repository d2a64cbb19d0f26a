import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inlineRequest } from '../src/app/hooks/save-request.ts';
import { findingsIn } from '../src/app/hooks/turn-findings.ts';
import { effectiveConfig } from '../src/core/config/effective.ts';
import type { Message } from '../src/core/episode/episode.ts';
import { dataIn } from './measure.ts';
import { messagesIn } from './triage/judge.ts';

/**
 * How often the end of a turn would ask the agent to save, on real sessions, with the quoted lines.
 * `npm run bench -- requests [HOW MANY TO SHOW]`. Nothing is known beforehand, so that repetitions of known records count too.
 */
const PROJECTS = ['coding-sessions-dev', 'coding-git-sync', 'coding-cipher-box', 'coding-oh-my-posh'];
const memory = { config: effectiveConfig({}), index: { search: () => [] } };

/** The messages of each turn: from a prompt of the user to the next. */
function turnsOf(messages: readonly Message[]): readonly (readonly Message[])[] {
  const turns: Message[][] = [];
  for (const message of messages.filter(({ agentId }) => agentId === undefined)) {
    if (message.role === 'user' || turns.length === 0) turns.push([]);
    turns.at(-1)?.push(message);
  }
  return turns;
}

/** The requests of one session. */
function requestsIn(turns: readonly (readonly Message[])[], all: boolean): readonly string[] {
  const askedMarks = new Set<string>();
  return turns.flatMap((entries) => {
    const { findings } = findingsIn(
      memory,
      { facts: { sessionId: 'x', client: 'claude-code' }, entries, whole: true },
      { savedCategories: new Set(), askedMarks, acceptsAll: all },
    );
    for (const { mark } of findings) askedMarks.add(mark);
    return findings.length === 0 ? [] : [inlineRequest(findings).split('\n').slice(1, -1).join('\n')];
  });
}

const many = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? 10);
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-requests-'));
try {
  for (const project of PROJECTS) {
    const folder = path.join(scratch, project);
    fs.mkdirSync(folder);
    const { status } = spawnSync('tar', ['-xJf', path.join(dataIn(process.argv), project, 'transcripts.tar.xz'), '-C', folder]);
    if (status !== 0) continue;
    const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.jsonl') && !/agent-|subagents/.test(file));
    const sessions = files
      .map((file) => turnsOf(messagesIn(fs.readFileSync(path.join(folder, file), 'utf8').split('\n'), 'claude-code')))
      .filter((turns) => turns.length > 0);
    const requests = sessions.flatMap((turns) => requestsIn(turns, false));
    const proposed = sessions.flatMap((turns) => requestsIn(turns, true)).length;
    const turns = sessions.reduce((sum, all) => sum + all.length, 0);
    console.log(`\n${project}: ${sessions.length} sessions, ${turns} turns; ${requests.length} requests (triage proposes something in ${proposed})`);
    const step = Math.max(1, Math.ceil(requests.length / many));
    console.log(requests.filter((_, at) => at % step === 0).join('\n~\n'));
  }
} finally {
  fs.rmSync(scratch, { recursive: true, force: true });
}
