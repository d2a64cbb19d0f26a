/** What the documents of a session say before anybody has said anything. Each ends in a line that counts as nothing said. */
const placeholder = (title: string, about: string, nothing: string): string => `# ${title}\n\n<!-- ${about} Edits by hand are kept. -->\n\n${nothing}\n`;

export const NO_TASK = placeholder('Current Task', 'What is being worked on now: `holdfast task TEXT` sets it.', 'None.');
export const NO_BLOCKERS = placeholder('Blockers', 'What holds the work up: `holdfast block TEXT` adds one.', 'None.');
export const NO_ACTIVE = placeholder('Active Work', 'The steps of the task, as boxes: `holdfast progress add TEXT` adds one.', 'Nothing yet.');
export const NO_COMPLETED = placeholder('Completed Work', 'What was finished when, newest first.', 'Nothing yet.');
