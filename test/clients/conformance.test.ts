import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { PROGRAM } from '../edges/cli/program.ts';
import { environment, place } from '../edges/mcp/talk.ts';
import { bridgeToStdio } from './sandbox/bridge.ts';

const FOLDER = process.env['HOLDFAST_CONFORMANCE'] ?? '';
const NODE = process.env['HOLDFAST_NEWER_NODE'] ?? '';

/** Scenarios that apply to a server on stdio with tools of its own, by revision. */
const APPLY: Readonly<Record<string, readonly string[]>> = {
  '2025-11-25': ['server-initialize', 'logging-set-level', 'ping', 'completion-complete', 'tools-list', 'resources-list', 'prompts-list'],
  '2026-07-28': [
    'server-stateless',
    'completion-complete',
    'tools-list',
    'resources-list',
    'prompts-list',
    'sep-2164-resource-not-found',
    'caching',
    'input-required-result-unsupported-methods',
  ],
};

/** Those that do not, and why; docs/clients.md has the same in words. */
const DO_NOT_APPLY = [
  // They call tools, prompts and resources that only a server made for the suite has.
  /^tools-call-|^prompts-get-|^resources-(?:read|templates-read)|^json-schema-/,
  // Not offered: nothing is asked of the client's model or user, no resource is watched alone, there are no tasks.
  /^elicitation-|^input-required-result-|^resources-(?:un)?subscribe$|^tasks-/,
  // They test HTTP.
  /^server-sse-|^server-session-|^dns-|^http-/,
];

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

/** The suite's results, by scenario. */
async function runSuite(revision: string): Promise<ReadonlyMap<string, readonly Check[]>> {
  const there = place();
  const bridge = await bridgeToStdio([process.execPath, PROGRAM, 'mcp'], { cwd: there.project, env: environment(there) });
  onTestFinished(() => bridge.close());
  const results = path.join(there.home, 'results');
  const suite = path.join(FOLDER, '@modelcontextprotocol/conformance/dist/index.js');
  const args = [suite, 'server', '--url', bridge.url, '--requirements', revision, '-o', results];
  const child = spawn(NODE, args, { cwd: there.home, env: environment(there), stdio: 'ignore' });
  onTestFinished(() => void child.kill());
  await new Promise((ended) => child.on('exit', ended));
  const scenarioOf = (name: string): string => /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(name)?.[1] ?? name;
  return new Map(
    readdirSync(results).map((name) => [scenarioOf(name), JSON.parse(readFileSync(path.join(results, name, 'checks.json'), 'utf8')) as readonly Check[]]),
  );
}

/** Checks that failed, without those of HTTP and those that need a tool of the suite's own, one of which changes the list of tools. */
const unmet = (checks: readonly Check[] | undefined): readonly Check[] =>
  (checks ?? []).filter(
    ({ id, status, errorMessage = '' }) =>
      (status === 'FAILURE' || status === 'WARNING') &&
      !id.startsWith('sep-2575-http-') &&
      !id.endsWith('-tools-list-changed-on-subscription') &&
      !errorMessage.startsWith('Not testable:'),
  );

describe.skipIf(!existsSync(FOLDER)).each(Object.entries(APPLY))('the official conformance suite in revision %s', (revision, scenarios) => {
  test('passes every scenario that applies, and each other one is known not to', async () => {
    const found = await runSuite(revision);
    for (const scenario of scenarios) {
      expect(unmet(found.get(scenario)), scenario).toEqual([]);
      expect(found.get(scenario)?.filter(({ status }) => status === 'SUCCESS').length ?? 0, scenario).toBeGreaterThan(1);
    }
    const others = [...found.keys()].filter((scenario) => !scenarios.includes(scenario));
    expect(others.filter((scenario) => !DO_NOT_APPLY.some((known) => known.test(scenario)))).toEqual([]);
  });
});
