const TEXT = { type: 'string' } as const;
const TEXTS = { type: 'array', items: TEXT } as const;

export const RECORDS_FIELD = {
  type: 'array',
  description: 'alone, when a memory hook asks at the end of a turn: what the turn settled',
  items: {
    type: 'object',
    properties: {
      category: { type: 'string', enum: ['decision', 'runbook', 'constraint', 'tech_debt', 'preference'] },
      text: { type: 'string', description: 'the choice or rule, understood alone' },
      why: TEXT,
      title: TEXT,
      tags: TEXTS,
      files: TEXTS,
      rule: { type: 'string', description: "the user's words, where they stated a rule" },
      applies_to: { ...TEXTS, description: 'action, command or files that a rule applies to' },
      replaces: { type: 'string', description: 'id of the record it replaces' },
    },
    required: ['category', 'text'],
  },
} as const;
