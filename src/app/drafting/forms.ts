import type { TriageCategory } from '../../capture/triage/settings.ts';
import { DRAFT_CHOICES, DRAFT_SHAPES } from './shape.ts';

/** What drafts and verdicts look like, for an agent that writes them without the plugin's drafters. */
export const FORMS: readonly string[] = [
  'Make one draft after the other, read each once more against its context file, and write its verdict beside it: the same name with .memory-verdict- in place of .memory-draft-.',
  'A draft is JSON: {"action": "create|update|delete|noop", "target": "the record\'s file, for update and delete", "reason": "for delete", "justification": "one line", "record": {"title", "tags", "related_files", "confidence": 0.7 to 0.9, "content"}}. Leave out fields that the context does not mention; no passwords or keys.',
  'A verdict is JSON: {"result": "PASS" or "FAIL", "issues": [{"severity": "BLOCK" or "ADVISORY", "text": "one sentence"}]}; FAIL and BLOCK for what the context file does not say.',
];

export const contentForm = (category: TriageCategory): string =>
  `The content of a ${category}: ${[JSON.stringify(DRAFT_SHAPES[category]), DRAFT_CHOICES[category]].filter((part) => part !== '').join('; ')}`;
