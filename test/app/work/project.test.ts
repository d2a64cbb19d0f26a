import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { describeProject } from '../../../src/app/work/work.ts';
import { must, openMemory } from '../memory.ts';

const by = { actor: 'test' } as const;

test('project.md has its head and its five sections, and keeps what a person adds', async () => {
  const { memory, root, project, at } = openMemory();
  must(await describeProject(memory, { type: 'library', sections: { overview: 'Invoices\nfor all', role: 'Lead' } }, by));
  const file = path.join(root, 'project.md');
  expect(fs.readFileSync(file, 'utf8')).toBe(`# Project: project

**Path**: ${project}
**Type**: library
**Last Updated**: 2026-03-01T12:00:00Z

## Overview
Invoices
for all

## Role
Lead

## Tech Stack

## Related Projects

## Notes
`);
  fs.appendFileSync(file, '- mine\n\n## Own\nwords\n');
  at('2026-03-02T12:00:00Z');
  must(await describeProject(memory, { sections: { notes: 'second', role: 'Reviewer' } }, by));
  const text = fs.readFileSync(file, 'utf8');
  expect(text).toContain('## Role\nReviewer\n');
  expect(text).toContain('## Notes\n- mine\n- second\n\n## Own\nwords\n');
  expect(text).toContain('**Type**: library\n**Last Updated**: 2026-03-02T12:00:00Z');
  expect(await describeProject(memory, { sections: { role: ' ' } }, by)).toMatchObject({ ok: false, error: { code: 'USAGE_ERROR' } });
});
