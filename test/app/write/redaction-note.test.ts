import { expect, test } from 'vitest';
import { redactionNotes } from '../../../src/app/write/redaction-note.ts';

test.each([
  [[], []],
  [[{ kind: 'github-token', field: 'text' }], ['Redacted before saving: 1 GitHub token']],
  [
    [
      { kind: 'aws-access-key-id', field: 'content.context' },
      { kind: 'aws-access-key-id', field: 'content.context' },
      { kind: 'password', field: 'line 12' },
      { kind: 'private', field: 'title' },
    ],
    ['Redacted before saving: 2 AWS access key IDs in content.context, 1 password on line 12, 1 private passage in title'],
  ],
])('%j is told as %j', (redactions, notes) => {
  expect(redactionNotes(redactions)).toEqual(notes);
});
