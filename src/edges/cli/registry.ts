import type { Command } from './command.ts';

/** The groups of the help, in its order, by the folder their commands lie in. */
export const GROUPS = {
  remember: 'Remember',
  review: 'Review',
  find: 'Find',
  inject: 'What the agent gets',
  conversations: 'Turn conversations into memory',
  work: 'Work in a session',
  projects: 'Your projects and your profile',
  history: 'History',
  transfer: 'Export and migrate',
  team: 'Share with a team',
  setup: 'Set up and maintain',
  scripts: 'For scripts and clients',
} as const;

type CommandGroup = keyof typeof GROUPS;

/** Imports the command's module: a search pays only for the search. */
type Load = () => Promise<Command>;

export interface CommandEntry {
  readonly name: string;
  readonly group: CommandGroup;
  /** One line for the list of commands; the command itself says more. */
  readonly summary: string;
  readonly load: Load;
}

const COMMANDS: Readonly<Record<CommandGroup, Readonly<Record<string, readonly [summary: string, load: Load]>>>> = {
  remember: {
    save: ['save a record: a decision, a fix, a constraint, a preference …', async () => (await import('./commands/remember/save.ts')).saveCommand],
    edit: ['edit a record in your editor', async () => (await import('./commands/remember/edit.ts')).editCommand],
    confirm: ['confirm that a record is true', async () => (await import('./commands/remember/status-commands.ts')).confirmCommand],
    share: ['move a record into the repository, to commit it with the code', async () => (await import('./commands/remember/share.ts')).shareCommand],
    merge: ['join both versions of records that git or sync could not merge', async () => (await import('./commands/remember/merge.ts')).mergeCommand],
    retire: ['retire a record; gc deletes it after the grace period', async () => (await import('./commands/remember/status-commands.ts')).retireCommand],
    restore: ['restore a retired record', async () => (await import('./commands/remember/status-commands.ts')).restoreCommand],
    archive: ['take a record out of use but keep it for good', async () => (await import('./commands/remember/status-commands.ts')).archiveCommand],
    unarchive: ['bring an archived record back into use', async () => (await import('./commands/remember/status-commands.ts')).unarchiveCommand],
    forget: ['remove a record for good, with every copy of its text', async () => (await import('./commands/remember/forget.ts')).forgetCommand],
    gc: ['delete retired records whose grace period is over', async () => (await import('./commands/remember/gc.ts')).gcCommand],
  },
  review: {
    inbox: ['review what was saved automatically, and what is quarantined', async () => (await import('./commands/review/inbox.ts')).inboxCommand],
    promote: ['make a skill of a runbook that agents keep using', async () => (await import('./commands/review/promote.ts')).promoteCommand],
    view: ['see and correct what is remembered, in your browser', async () => (await import('./commands/review/view.ts')).viewCommand],
  },
  find: {
    list: ['list records, newest first, with their short ids', async () => (await import('./commands/find/list.ts')).listCommand],
    search: ['search records, documents and messages', async () => (await import('./commands/find/search.ts')).searchCommand],
    get: ['print one or more records in full', async () => (await import('./commands/find/show.ts')).getCommand],
    show: ['print a record or document as it is in its file', async () => (await import('./commands/find/show.ts')).showCommand],
    timeline: ['list sessions and records by date, or the steps of one session', async () => (await import('./commands/find/timeline.ts')).timelineCommand],
    messages: ['show the messages of a session, or those around one message', async () => (await import('./commands/find/messages.ts')).messagesCommand],
  },
  inject: {
    brief: ['show what an agent gets when a session starts', async () => (await import('./commands/inject/brief.ts')).briefCommand],
    recall: ['show what memory adds to a prompt, and why', async () => (await import('./commands/inject/recall.ts')).recallCommand],
    why: ['show what was injected, when, and why it was chosen', async () => (await import('./commands/inject/why.ts')).whyCommand],
    feedback: ['mark a recalled record as useful, wrong or outdated', async () => (await import('./commands/inject/feedback.ts')).feedbackCommand],
    context: ['print CLAUDE.md and MEMORY.md of home and project, merged', async () => (await import('./commands/inject/context.ts')).contextCommand],
  },
  conversations: {
    import: ['import conversations, git history or a bundle of memories', async () => (await import('./commands/conversations/import.ts')).importCommand],
    triage: ['show which parts of a session are worth a record, and why', async () => (await import('./commands/conversations/triage.ts')).triageCommand],
    drafts: ['draft records from a session', async () => (await import('./commands/conversations/drafts.ts')).draftsCommand],
    summarize: ['save a summary of a session', async () => (await import('./commands/conversations/summarize.ts')).summarizeCommand],
    report: ["save a subagent's report, or merge reports into records", async () => (await import('./commands/conversations/report.ts')).reportCommand],
    synthesize: [
      'write master.md: what all sessions say about the project, by theme',
      async () => (await import('./commands/conversations/synthesize.ts')).synthesizeCommand,
    ],
  },
  work: {
    start: ['turn memory on in this project and start a session', async () => (await import('./commands/work/session.ts')).startCommand],
    stop: ['turn memory off in this project; all files stay', async () => (await import('./commands/work/session.ts')).stopCommand],
    task: ['set or show the current task', async () => (await import('./commands/work/task.ts')).taskCommand],
    progress: ['add, finish or list the steps of the task', async () => (await import('./commands/work/task.ts')).progressCommand],
    block: ['record a blocker', async () => (await import('./commands/work/task.ts')).blockCommand],
    unblock: ['resolve a blocker', async () => (await import('./commands/work/task.ts')).unblockCommand],
    breadcrumb: ['detect a compaction in clients that do not report it', async () => (await import('./commands/work/breadcrumb.ts')).breadcrumbCommand],
    update: ['add what a session did to MEMORY.md', async () => (await import('./commands/work/update.ts')).updateCommand],
    rollback: ['restore MEMORY.md as it was before the last update', async () => (await import('./commands/work/rollback.ts')).rollbackCommand],
  },
  projects: {
    status: ['show what this memory holds and where', async () => (await import('./commands/projects/status.ts')).statusCommand],
    project: ['show or describe this project and your role in it', async () => (await import('./commands/projects/project.ts')).projectCommand],
    workspace: ['map your projects: relations and initiatives', async () => (await import('./commands/projects/workspace.ts')).workspaceCommand],
    user: ['show or change your profile, which every project uses', async () => (await import('./commands/projects/user.ts')).userCommand],
  },
  history: {
    log: ['list every write, newest first', async () => (await import('./commands/history/history.ts')).logCommand],
    diff: ['show what a write changed', async () => (await import('./commands/history/history.ts')).diffCommand],
    undo: ['undo the last writes', async () => (await import('./commands/history/history.ts')).undoCommand],
  },
  transfer: {
    export: ['export memories to one file', async () => (await import('./commands/transfer/export.ts')).exportCommand],
    migrate: ['import memories from other tools and layouts', async () => (await import('./commands/transfer/migrate.ts')).migrateCommand],
  },
  team: {
    sync: ['sync with a team’s server and your other machines, both ways', async () => (await import('./commands/team/sync.ts')).syncCommand],
    review: ['accept or reject what members propose to the team', async () => (await import('./commands/team/review.ts')).reviewCommand],
    team: ['manage members, tokens and projects on the server', async () => (await import('./commands/team/team.ts')).teamCommand],
    server: ['serve a team’s memory from PostgreSQL', async () => (await import('./commands/team/server.ts')).serverCommand],
  },
  setup: {
    init: ['set up a client without the plugin, or remove that setup', async () => (await import('./commands/setup/init.ts')).initCommand],
    config: ['show or change settings', async () => (await import('./commands/setup/config.ts')).configCommand],
    doctor: ['find problems and say how to fix them', async () => (await import('./commands/setup/doctor.ts')).doctorCommand],
    rebuild: ['rebuild the index and all views from the files', async () => (await import('./commands/setup/rebuild.ts')).rebuildCommand],
    embed: ['set up search by meaning, or embed what is new', async () => (await import('./commands/setup/embed.ts')).embedCommand],
    completion: ['print a completion script for your shell', async () => (await import('./commands/setup/completion.ts')).completionCommand],
  },
  scripts: {
    write: ['create, update or move a record from a file', async () => (await import('./commands/scripts/write.ts')).writeCommand],
    candidate: ['find the record that new information belongs to', async () => (await import('./commands/scripts/candidate.ts')).candidateCommand],
    mcp: ['serve memory to a client over MCP', async () => (await import('./commands/scripts/hook.ts')).mcpCommand],
    hook: ["answer one event of a client's session", async () => (await import('./commands/scripts/hook.ts')).hookCommand],
  },
};

/** Every command, in the order of the help. Help, completion, docs, suggestions and dispatch read this list. */
export const REGISTRY: readonly CommandEntry[] = Object.entries(COMMANDS).flatMap(([group, commands]) =>
  Object.entries(commands).map(([name, [summary, load]]) => ({ name, group: group as CommandGroup, summary, load })),
);

const ALIASES: Readonly<Record<string, string>> = { ls: 'list', blocker: 'block' };

/** Words that other programs use, by the command that does the same here. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  save: ['add', 'create', 'new', 'note', 'remember'],
  search: ['find', 'grep', 'query', 'ask'],
  forget: ['delete', 'remove', 'rm'],
  log: ['history'],
  undo: ['revert'],
  init: ['install', 'setup', 'enable'],
  stop: ['disable', 'off'],
  start: ['on'],
  status: ['info', 'stats'],
  config: ['settings', 'set'],
  timeline: ['sessions'],
  inbox: ['pending'],
  '--version': ['version'],
};

/** The command for a word that other programs use. */
export const commandFor = (word: string): string | undefined => Object.entries(SYNONYMS).find(([, words]) => words.includes(word))?.[0];

export const commandNamed = (name: string): CommandEntry | undefined =>
  REGISTRY.find((entry) => entry.name === (Object.hasOwn(ALIASES, name) ? ALIASES[name] : name));

export const loadCommands = (): Promise<readonly Command[]> => Promise.all(REGISTRY.map(({ load }) => load()));
