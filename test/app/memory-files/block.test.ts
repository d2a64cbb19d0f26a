import { describe, expect, it } from 'vitest';
import { contextBlock, injectIntoPrompt, subagentPrompt } from '../../../src/app/memory-files/block.ts';
import { summaryText } from '../../../src/app/memory-files/session-notes.ts';

const at = new Date(2026, 1, 3, 4, 5, 6).getTime();

describe('the context block', () => {
  it('has title, project, session and local time on top, and its credit line below', () => {
    expect(contextBlock({ project: 'NexusArb', session: 's-1', at, memory: 'MERGED' })).toBe(
      '## Loaded Memory Context\n\n### Project: NexusArb\n### Session: s-1\n### Loaded: 2026-02-03 04:05:06\n\nMERGED\n\n---\n*Memory loaded by Memory Integration Module V12.0*\n',
    );
  });

  it('says Unknown and N/A for what it is not told', () => {
    expect(contextBlock({ at, memory: '' })).toContain('### Project: Unknown\n### Session: N/A\n');
  });
});

describe('a prompt', () => {
  it('gets the block and a blank line directly before its first task heading only', () => {
    expect(injectIntoPrompt('RULES\n\n## Task\n\nDo it.\n\n## Task\nagain', 'BLOCK\n')).toBe('RULES\n\nBLOCK\n\n\n## Task\n\nDo it.\n\n## Task\nagain');
  });

  it.each(['No heading', 'text ## Task in a line', '### Task', '## Tasks'])('without a task heading gets it in front: %j', (prompt) => {
    expect(injectIntoPrompt(prompt, 'BLOCK')).toBe(`BLOCK\n\n${prompt}`);
  });

  it('for a subagent has the three rules, the memory and the task, in this order', () => {
    expect(subagentPrompt('MEMORY', 'Implement it.')).toBe(
      `EXECUTION RULES:
1. SHOW YOUR PLAN FIRST: Before doing any work, show a sub-task table...
2. PARALLELISM: Execute ALL independent operations in a SINGLE message...
3. UPDATE TABLE: After completing work, show the updated table with results.

## Memory Context (Auto-Loaded)

MEMORY

## Task

Implement it.
`,
    );
  });
});

describe('a session summary', () => {
  it('has its dated heading and four sections in order', () => {
    expect(summaryText({ taskSummaries: ['T1'], filesModified: ['a.ts', 'b.ts'], decisions: ['D'], patterns: ['P'], issues: ['I'] }, at)).toBe(
      '## Session Summary - 2026-02-03 04:05\n\n### Key Decisions\n- D\n\n### Files Modified\n- a.ts\n- b.ts\n\n### Patterns Established\n- P\n\n### Issues/Notes\n- I\n',
    );
  });

  it('leaves out what is empty, and keeps an item on its line', () => {
    expect(summaryText({ patterns: [], issues: ['two\n## lines'] }, at)).toBe('## Session Summary - 2026-02-03 04:05\n\n### Issues/Notes\n- two ## lines\n');
  });
});
