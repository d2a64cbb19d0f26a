import type { Finding } from '../../../app/read/doctor.ts';
import type { Switch } from '../../../app/project/switch.ts';
import type { Inventory, Cli } from '../command.ts';
import { formatBytes, plural } from './format.ts';
import type { ExcludedSession } from '../../../app/episodes/excluded.ts';

/** The sizes and budgets that doctor checks. */
export interface DiskUsage extends Inventory {
  readonly archiveLimit: number;
  readonly tokens: { readonly spent: number; readonly limit: number };
  readonly memory: Pick<Switch, 'on' | 'because'>;
  /** Whether another client than Claude Code is set up, or a hook of any has run. */
  readonly hasClient: boolean;
}

const WARN_AT = 0.9;

const SETUP_NAMES = { plugin: 'the plugin', hooks: 'the hooks of holdfast init' } as const;

export function usageLines({ bytes, archiveLimit, tokens, claudeCode, memory }: DiskUsage): readonly string[] {
  const { records, history, index, conversations } = bytes;
  return [
    `sizes   records ${formatBytes(records)}, history ${formatBytes(history)}, index ${formatBytes(index)}, conversations ${formatBytes(conversations)} of ${formatBytes(archiveLimit)}`,
    `budget  model tokens today ${tokens.spent} of ${tokens.limit}`,
    `client  claude-code: ${claudeCode.length === 0 ? 'not set up' : claudeCode.map((method) => SETUP_NAMES[method]).join(' and ')}`,
    `memory  ${memory.on ? `on: ${memory.because}` : memory.because}`,
  ];
}

export function usageFindings({ bytes, archiveLimit, tokens, claudeCode, memory, hasClient }: DiskUsage): readonly Finding[] {
  const findings: Finding[] = [];
  if (claudeCode.length > 1)
    findings.push({
      level: 'problem',
      what: 'Claude Code has both the plugin and the hooks of holdfast init, so everything runs twice.',
      mend: 'holdfast init --remove',
    });
  if (memory.on && claudeCode.length === 0 && !hasClient)
    findings.push({
      level: 'note',
      what: 'Memory is on in this project, but no client is set up and no hook has ever run.',
      mend: 'install the plugin, or run holdfast init',
    });
  if (bytes.conversations > archiveLimit * WARN_AT)
    findings.push({
      level: 'note',
      what: `Conversations use ${formatBytes(bytes.conversations)} of ${formatBytes(archiveLimit)}; the oldest will be dropped.`,
      mend: 'raise the limit with holdfast config set archive.maxBytes',
    });
  if (tokens.limit > 0 && tokens.spent >= tokens.limit)
    findings.push({
      level: 'note',
      what: 'The daily limit of model tokens is reached; Holdfast works without a model until tomorrow.',
      mend: 'raise the limit with holdfast config set model.dailyTokens',
    });
  return findings;
}

const SHOWN = 5;

export const excludedLine = ({ sessionId, messages }: ExcludedSession): string => `${sessionId} (${plural(messages, 'message')})`;

/** Conversations that were archived before `capture.exclude` excluded some of their messages. */
export async function excludedFindings(cli: Cli): Promise<readonly Finding[]> {
  const sessions = await cli.excluded(false);
  if (sessions.length === 0) return [];
  const more = sessions.length > SHOWN ? ` and ${sessions.length - SHOWN} more` : '';
  return [
    {
      level: 'problem',
      what: `Archived conversations contain what capture.exclude excludes: ${sessions.slice(0, SHOWN).map(excludedLine).join(', ')}${more}`,
      mend: "remove it with holdfast gc; the client's own transcripts stay",
    },
  ];
}
