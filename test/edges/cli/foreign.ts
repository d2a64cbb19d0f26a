import fs from 'node:fs';
import path from 'node:path';
import { openDatabase } from '../../../src/adapters/sqlite/binding.ts';

/** Writes files of another tool's layout. */
export function lay(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), text);
  }
}

export const INFINITE_MEMORY = {
  '_session.json': JSON.stringify({ active: true, started: '2026-01-05T09:00:00Z', branch: 'main' }),
  '_index.md': '# Memory Index\n\nSession: 2026-01-05\n\n## Current State\n- **Task**: move the tide tables\n',
  'decisions/2026-01-05_001_use-sqlite.md': [
    '# Use SQLite for the tide tables\n',
    '**Date**: 2026-01-05\n**Category**: architecture\n**Status**: decided\n',
    '## Context\nOne file, no server.\n',
    '## Decision\nThe tide tables live in SQLite.\n',
    '## Alternatives Considered\n- PostgreSQL: needs a server\n',
    '## Consequences\n- One writer at a time\n',
    '## Afterthought\nA heading of its own.\n',
  ].join('\n'),
  'analysis/src_harbour_Gauge.md':
    '# Analysis: Gauge\n\n**Analyzed**: 2026-01-06\n**Path**: src/harbour/Gauge.ts\n**Type**: service\n\n## Summary\nReads the gauge twice.\n',
  'subagent/2026-01-06_101500_survey.md':
    '# Survey\n\n**Agent**: Explore\n**Date**: 2026-01-06\n**Task**: look around\n\n## Summary\nThe pier has two gauges.\n',
  'context/current-task.md': '# Current Task\n\nMove the tide tables.\n',
  'progress/completed.md': '# Completed\n\n- The gauge reader\n',
  'project.md': '# Project: tidewatch\n\n## Overview\nWarns of spring tides.\n',
};

export const MEMORY_FOLDER = {
  'master.md': '# Project Memory\n\n## Current Status\nWarnings go out at dawn.\n',
  'ARCHITECTURE.md': '# Memory System\n\nHow it works.\n',
  'conversations/7d1c0a52-6f1e-4d0e-9b1a-1f6f3d1c2a10.md':
    '# Summer time\n\n## Context\nThe warnings came an hour late.\n\n## Tracking Points\n- Decision: times are kept in UTC, because the pier has no zone\n- Status: mended\n\n## Related Files/Artifacts\n- src/clock.ts\n',
  'frontend/conversations/9e2d0a52-6f1e-4d0e-9b1a-1f6f3d1c2a11.md':
    '# Colours\n\n## Context\nRed was not red.\n\n## Tracking Points\n- Learning: the palette is fixed\n',
};

export const MEMORY_MODULE = {
  'CLAUDE.md': '# Instructions\n\nRun the tide tests first.\n',
  'memory/MEMORY.md': '## Session Summary - 2026-01-05 10:00\n\n### Key Decisions\n- Warnings carry the harbour name\n',
  'memory/MEMORY.md.bak': '## Session Summary - 2026-01-04 10:00\n\n### Key Decisions\n- Warnings carry no name\n',
  'memory/session-ab12.md': '# Session ab12\n\nA long night.\n',
  'memory/context.json': '{"projectKey":"tidewatch"}',
};

export const AUTO_MEMORY = {
  'MEMORY.md': '- [Lint](lint.md): before every commit\n',
  'lint.md': '---\nname: Lint first\ndescription: before every commit\ntype: feedback\n---\n\nRun the linter before every commit.\n',
  'piers.md': '# Piers\n\nThere are three piers, and the third has no gauge.\n',
};

export const GRAPH = [
  { type: 'entity', name: 'Gauge', entityType: 'component', observations: ['reads every minute', 'drifts in frost'] },
  { type: 'entity', name: 'Names of warnings', entityType: 'preference', observations: ['harbour first because captains scan for it'] },
  { type: 'relation', from: 'Gauge', to: 'Pier', relationType: 'stands on' },
]
  .map((item) => JSON.stringify(item))
  .join('\n');

export const NOTES = {
  'design/Warnings.md':
    '---\ntitle: Warnings\ntype: note\npermalink: design/warnings\ntags: [tide, warning]\nowner: harbour office\n---\n\n# Warnings\n\nSent at dawn.\n\n## Observations\n- [decision] Warnings are sent twice #tide (since the storm)\n- [ ] not an observation\n\n## Relations\n- depends_on [[Gauge]]\n',
  'Gauge.md': '---\ntitle: Gauge\npermalink: gauge\n---\n\nMeasures.\n',
};

/** A database as claude-mem leaves it, in WAL mode and with rows of another project. */
export function claudeMemDatabase(file: string, count = 0): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const database = openDatabase(file);
  database.exec(`PRAGMA journal_mode = WAL;
    CREATE TABLE sdk_sessions (id INTEGER PRIMARY KEY, content_session_id TEXT, memory_session_id TEXT, project TEXT, user_prompt TEXT);
    CREATE TABLE observations (id INTEGER PRIMARY KEY, memory_session_id TEXT, project TEXT, text TEXT, type TEXT, title TEXT, subtitle TEXT, facts TEXT, narrative TEXT,
      concepts TEXT, files_read TEXT, files_modified TEXT, created_at TEXT, created_at_epoch INTEGER);
    CREATE TABLE session_summaries (id INTEGER PRIMARY KEY, memory_session_id TEXT, project TEXT, request TEXT, investigated TEXT, learned TEXT, completed TEXT, next_steps TEXT,
      files_read TEXT, files_edited TEXT, notes TEXT, created_at TEXT, created_at_epoch INTEGER);
    CREATE TABLE user_prompts (id INTEGER PRIMARY KEY, content_session_id TEXT, prompt_number INTEGER, prompt_text TEXT, created_at TEXT, created_at_epoch INTEGER);
    INSERT INTO sdk_sessions VALUES (1, 'client-1', 'own-1', 'webshop', NULL), (2, 'client-2', 'own-2', 'elsewhere', NULL);
    INSERT INTO observations VALUES
      (1, 'own-1', 'webshop', NULL, 'decision', 'Warnings go by radio', 'the mast fell', '["radio needs no mast","captains listen"]', 'Radio in place of flags.', '["warning"]', '[]', '["src/radio.ts"]', '2026-01-05T10:00:00Z', 1767607200000),
      (2, 'own-1', 'webshop', NULL, 'bugfix', 'Gauge stuck at zero', NULL, '["restart the reader","compare with the pier"]', 'Frost held the float.', '[]', '["src/gauge.ts"]', '[]', '2026-01-05T11:00:00Z', 1767610800000),
      (3, 'own-1', 'webshop', NULL, 'discovery', 'The third pier has no gauge', NULL, '[]', 'Nobody built one.', '[]', '[]', '[]', '2026-01-05T12:00:00Z', 1767614400000),
      (4, 'own-2', 'elsewhere', NULL, 'discovery', 'Not ours', NULL, '[]', 'Elsewhere.', '[]', '[]', '[]', '2026-01-05T12:00:00Z', 1767614400000);
    INSERT INTO session_summaries VALUES
      (1, 'own-1', 'webshop', 'Send warnings by radio', 'the mast', 'flags freeze', 'radio works', 'test at night', '[]', '["src/radio.ts"]', 'a cold day', '2026-01-05T13:00:00Z', 1767618000000);
    INSERT INTO user_prompts VALUES (1, 'client-1', 1, 'make the warnings go by radio', '2026-01-05T09:00:00Z', 1767603600000);`);
  const insert = database.prepare(
    "INSERT INTO observations VALUES (?, 'own-1', 'webshop', NULL, 'discovery', ?, NULL, '[]', ?, '[]', '[]', '[]', '2025-01-01T00:00:00Z', ?)",
  );
  for (let index = 0; index < count; index += 1) insert.run(100 + index, `Old finding ${index}`, `Finding number ${index}.`, 1_735_689_600_000 + index);
  database.close();
}
