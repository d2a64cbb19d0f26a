/** The short forms that some want beside `/memory:…`. */
export const SHORT_COMMANDS = ['summarize', 'recall', 'synthesize', 'workspace', 'user'] as const;
export type ShortCommand = (typeof SHORT_COMMANDS)[number];

const ABOUT: Readonly<Record<ShortCommand, string>> = {
  summarize: 'Keep a summary of this session in memory',
  recall: 'What the memory of this project says',
  synthesize: 'Bring all session summaries together in master.md',
  workspace: 'The map of your projects',
  user: 'What is remembered of you',
};

/** One command file; what the user types comes on standard input, so that no shell reads it. */
export const shortCommand = (name: ShortCommand, node: string, dist: string): string => `---
description: ${ABOUT[name]}
argument-hint: "[words]"
disable-model-invocation: true
---
\`\`\`!
${JSON.stringify(node)} ${JSON.stringify(`${dist}/cli.js`)} ${name}
\`\`\`

The user asked for this${name === 'recall' ? '; tell them briefly what it says' : ''}. Their own words: $ARGUMENTS
`;
