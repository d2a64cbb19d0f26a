import { stripInjected } from '../../core/injected.ts';
import { privateSpans } from '../../core/redact/private.ts';

/** Blocks that Holdfast writes for an agent, and the agent may repeat. */
const OWN_BLOCK = /<(triage_data|transcript_data|memory_draft)\b[^>]*>[\s\S]*?(?:<\/\1>|$)/g;
/** Words that stand only in Holdfast's own instructions: two of them make a text its own. */
const OWN_WORDS = [
  /\.memory-(?:triage-context|draft|write-pending)-/,
  /\bcontext_file\b/,
  /\bstructural_cud\b/,
  /\bpre_action\b/,
  /\bmemory-config\.json\b/,
  /\bCUD (?:resolution|verification|table)\b/i,
  /\bmemory[- ]management (?:skill|system)\b/i,
  /\bMemory Consolidation\b/,
  /\bholdfast (?:save|write|candidate|triage|summarize)\b/,
  /\btriage (?:hook|output|data)\b/i,
];

/** Cheap, and true of every text that has one of the words above. */
const HINT = /[Mm]emory|MEMORY|context_file|structural_cud|pre_action|CUD|cud |holdfast|[Tt]riage/;

const isOwnInstruction = (text: string): boolean => HINT.test(text) && OWN_WORDS.filter((word) => word.test(text)).length >= 2;

/** What is left of a text when Holdfast's own words and what its author marked as private are gone. */
export function foreignText(text: string): string {
  const unblocked = text.includes('</') || text.includes('<t') ? stripInjected(text).replace(OWN_BLOCK, '') : stripInjected(text);
  if (isOwnInstruction(unblocked)) return '';
  const spans = unblocked.toLowerCase().includes('private>') ? privateSpans(unblocked) : [];
  return spans.toReversed().reduce((rest, span) => rest.slice(0, span.start) + rest.slice(span.end), unblocked);
}
