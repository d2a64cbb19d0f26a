import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { toJSONSchema } from 'zod/v4/core';
import { bundleOptions, root } from './bundle.js';

export const SCHEMA_FOLDER = 'assets/schemas';

/** @type {Record<string, string>} */
const CATEGORIES = {
  session_summary: 'What a session set out to do and where it ended.',
  decision: 'A choice that was made, why, and what was turned down for it.',
  runbook: 'A problem that was solved and the steps that solve it again.',
  constraint: 'A limit that the work has to live with.',
  tech_debt: 'Work that was put off on purpose.',
  preference: 'How the user or the team wants things done.',
  analysis: 'What was found out about a file, component, module or service.',
  subagent_report: 'What a subagent was asked to do and what it found.',
};

/** @type {Record<string, string>} */
const FIELDS = {
  schema_version: 'Version of the record format.',
  category: 'Kind of record.',
  id: 'Name of the record, unique in its category: lower-case words joined by hyphens.',
  title: 'One line that says what the record is about.',
  record_status: 'active when absent; retired records are purged after a grace period, archived ones never.',
  created_at: 'ISO 8601, UTC.',
  updated_at: 'ISO 8601, UTC.',
  tags: 'Words under which the record should be found.',
  related_files: 'Paths in the project that the record is about.',
  applies_to: 'What a rule applies to: actions such as commit or push, beginnings of commands such as npm publish, files such as docs/plans/**.',
  confidence: '0 to 1; 0.9 and more only for what the user confirmed.',
  changes: 'History, oldest first.',
  times_updated: 'How often the record was updated.',
  retired_at: 'When it was retired.',
  retired_reason: 'Why it was retired.',
  archived_at: 'When it was archived.',
  archived_reason: 'Why it was archived.',
  origin: 'Where the record came from: the channel, the client, the session and its messages; the words by which the user asked for it, or who checked it.',
  trust: 'confirmed by the user, observed in the work, or quarantined: derived from text of others and not used until confirmed.',
  supersedes: 'Ids of the records that this one replaces.',
  superseded_by: 'Id of the record that replaces this one.',
  evidence: 'Commit and blob of each related file when the record was written.',
  scope: 'Whose memory it belongs to: the user in all projects, the user in this project, or everyone in this project.',
  content: 'What the record says.',
  goal: 'What the session was for.',
  outcome: 'How it ended.',
  completed: 'What was finished.',
  in_progress: 'What was begun and not finished.',
  blockers: 'What stands in the way.',
  next_actions: 'What to do next.',
  key_changes: 'Files and behaviour that changed.',
  context: 'The situation, in a sentence or two.',
  tracking_points: 'Decisions, discoveries and states worth finding again, each with its label.',
  status: 'Where the matter itself stands, whatever became of the record.',
  area: 'What the decision is about.',
  decision: 'What was decided.',
  alternatives: 'Options that were turned down, and why.',
  rationale: 'Why this option.',
  consequences: 'What follows from it.',
  trigger: 'What happens, so that one looks here.',
  symptoms: 'What can be seen.',
  steps: 'What to do, in order.',
  verification: 'How to see that it worked.',
  root_cause: 'Why it happens.',
  environment: 'Where it happens.',
  kind: 'What kind of limit it is.',
  rule: 'The limit itself.',
  impact: 'What it means for the work.',
  workarounds: 'How to live with it.',
  severity: 'How much it matters.',
  active: 'Whether it holds at present.',
  expires: 'The condition or date that ends it, or none.',
  priority: 'How soon it should be paid back.',
  description: 'What is wrong or missing.',
  reason_deferred: 'Why it was put off.',
  suggested_fix: 'What would mend it.',
  acceptance_criteria: 'How to tell that it is mended.',
  topic: 'What the preference is about.',
  value: 'What is preferred.',
  reason: 'Why.',
  strength: 'How binding it is.',
  examples: 'What to write, and what not to.',
  path: 'The file or component that was analysed.',
  type: 'What it is.',
  summary: 'The result, in two or three sentences.',
  key_findings: 'What was found.',
  issues_found: 'What is wrong with it.',
  recommendations: 'What to do about it.',
  agent: 'Kind of subagent.',
  task: 'What it was asked to do.',
  parent_context: 'The task it was part of.',
  details: 'Everything else it found.',
  files_analyzed: 'Files it looked at.',
};

/**
 * @typedef {Record<string, any>} JsonSchema
 * @param {JsonSchema} schema
 * @returns {JsonSchema}
 */
const described = (schema) => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(schema['properties']).map(([key, /** @type {JsonSchema} */ held]) => {
      const description = FIELDS[key];
      if (description === undefined) throw new Error(`scripts/schemas.js does not describe the field ${key}`);
      return [key, { description, ...(key === 'content' ? described(held) : held) }];
    }),
  ),
});

/**
 * The shipped files by name, from the one source of the record model.
 * @param {Record<string, any>} schemas `RECORD_SCHEMAS`
 * @returns {Map<string, string>}
 */
export const schemaFiles = (schemas) =>
  new Map(
    Object.entries(schemas).map(([category, schema]) => {
      const { $schema, ...rest } = /** @type {JsonSchema} */ (toJSONSchema(schema, { target: 'draft-2020-12', io: 'input' }));
      const head = { $schema, $id: `urn:holdfast:record:${category}:1.0`, title: category, description: CATEGORIES[category] };
      return [`${category}.schema.json`, `${JSON.stringify({ ...head, ...described(rest) }, undefined, 2)}\n`];
    }),
  );

const write = async () => {
  const { outputFiles } = await build({ ...bundleOptions, entryPoints: ['src/core/record/schema.ts'], format: 'esm', banner: {}, define: {}, write: false });
  const code = Buffer.from(outputFiles?.[0]?.text ?? '').toString('base64');
  const { RECORD_SCHEMAS } = await import(`data:text/javascript;base64,${code}`);
  const folder = path.join(root, SCHEMA_FOLDER);
  mkdirSync(folder, { recursive: true });
  const files = schemaFiles(RECORD_SCHEMAS);
  for (const [name, text] of files) writeFileSync(path.join(folder, name), text);
  console.log(`${files.size} schemas written to ${SCHEMA_FOLDER}`);
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await write();
