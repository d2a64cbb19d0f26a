import type { CommandGroup, CommandLine } from './help.ts';

/** Every command, by what it is for, in the order in which the help lists them. */
export const GROUPS: readonly CommandGroup[] = [
  {
    title: 'Remember',
    commands: [
      ['save', 'keep a record: a decision, a fix, a constraint, a preference …'],
      ['edit', 'change a record in your editor'],
      ['confirm', 'say that a record is true'],
      ['share', 'move a record into the project, to be committed with the code'],
      ['retire', 'take a record out of use; it is purged after the grace period'],
      ['restore', 'bring a retired record back'],
      ['archive', 'take a record out of use and keep it for ever'],
      ['unarchive', 'bring an archived record back'],
      ['gc', 'purge what was retired long enough ago'],
    ],
  },
  {
    title: 'Find',
    commands: [
      ['search', 'find records, documents and messages by what they say'],
      ['get', 'one or more records in full'],
      ['show', 'one record or document as it stands in its file'],
      ['timeline', 'what happened when: sessions and records, or the steps of one session'],
      ['messages', 'what was said in a session, or around one message'],
    ],
  },
  {
    title: 'What an agent is told',
    commands: [
      ['brief', 'what an agent is told when a session starts'],
      ['recall', 'what a prompt would get from memory, and why'],
      ['why', 'what was put before an agent when, and what chose it'],
      ['feedback', 'say whether a recalled record was useful, wrong or outdated'],
      ['context', 'CLAUDE.md and MEMORY.md of home and project, merged'],
    ],
  },
  {
    title: 'Conversations into memory',
    commands: [
      ['import', 'bring conversations in, or a bundle of memories'],
      ['triage', 'what of a session is worth a record, and the lines that say so'],
      ['drafts', 'make records of what triage found in a session'],
      ['summarize', 'keep a summary of a session'],
      ['report', 'keep what a subagent reports, and fold reports into records'],
      ['synthesize', 'make master.md: what all sessions say about the project, by theme'],
    ],
  },
  {
    title: 'Work on a session',
    commands: [
      ['start', 'begin a session of memory mode in this project'],
      ['stop', 'end memory mode; every file stays'],
      ['task', 'what is being worked on, and where the work stands'],
      ['progress', 'the steps of the work'],
      ['block', 'note what holds the work up'],
      ['unblock', 'a blocker is out of the way'],
      ['breadcrumb', 'tell a compaction where the client does not'],
      ['update', 'put what a session did on top of MEMORY.md'],
      ['rollback', 'put MEMORY.md back as it was before the last update'],
    ],
  },
  {
    title: 'Your projects and you',
    commands: [
      ['status', 'what this memory holds and where'],
      ['project', 'what this project is, and your role in it'],
      ['workspace', 'the map of your projects: relations and initiatives'],
      ['user', 'what is known of you in every project'],
    ],
  },
  {
    title: 'Every write, and back',
    commands: [
      ['log', 'every write, newest first'],
      ['diff', 'what a write changed'],
      ['undo', 'take back the last writes'],
    ],
  },
  {
    title: 'Carry and take over',
    commands: [
      ['export', 'memories as one file, to take elsewhere'],
      ['migrate', 'take over what other layouts and tools hold'],
    ],
  },
  {
    title: 'Set up and look after',
    commands: [
      ['init', 'set a client up without the plugin, or take that back'],
      ['config', 'show or change settings'],
      ['doctor', 'what is wrong and how to mend it'],
      ['rebuild', 'make the index and all views again from the files'],
      ['embed', 'make vectors of texts with the embedder that is set up, to search by meaning too'],
      ['completion', 'a completion script for your shell'],
    ],
  },
  {
    title: 'For scripts and clients',
    commands: [
      ['write', 'create, update or move a record by its file, for scripts and agents'],
      ['candidate', 'which record new information is about, and what may be done with it'],
      ['mcp', 'serve memory to a client over MCP'],
      ['hook', "answer one event of a client's session"],
    ],
  },
];

export const COMMANDS: readonly CommandLine[] = GROUPS.flatMap(({ commands }) => commands.map(([name, about]) => ({ name, about })));
