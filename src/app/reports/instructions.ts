/** The instructions for a subagent about memory: the whole template, a few lines, or one. */
export type InstructionForm = 'template' | 'full' | 'minimal';

const FORMAT = `Sub-Agent Output Format:
# [Task Name]

**Agent**: [subagent_type used]
**Date**: YYYY-MM-DDTHH:MM:SSZ
**Task**: [Brief description of what was requested]

## Summary
[2-3 sentence overview of findings/results]

## Details
[Full findings, analysis, or work completed]

## Recommendations
[Suggested next steps, if applicable]`;

/** How to write a report where the client lets no agent write files. */
export const REPORT_CALL =
  'To write that file, call memory_save with {"file": PATH, "text": REPORT}: other tools may not write there. Without that tool, end with the report; it is kept for you.';

/** The instructions for a subagent of a project whose memory lies in `root`. `task` goes before the template, as the parent gives it. */
export function subagentInstructions(form: InstructionForm, root: string, task = ''): string {
  const folder = root.replace(/[/\\]+$/, '');
  if (form === 'minimal') return `MEMORY: Read ${folder}/_index.md for context. Write output to ${folder}/subagent/[timestamp]_[task].md`;
  if (form === 'full')
    return `MEMORY SYSTEM:
- Read: ${folder}/_index.md (context), decisions/ (past decisions)
- Write: ${folder}/subagent/YYYY-MM-DD_HHMMSS_[task].md
- Format: # Title, **Agent**: type, **Date**: ISO, ## Summary, ## Details, ## Recommendations
- Do NOT modify _index.md`;
  return `${task === '' ? '' : `${task}\n\n`}MEMORY SYSTEM INSTRUCTIONS:
This project uses centralized memory at ${folder}/

1. CONTEXT: Read ${folder}/_index.md first for project context
2. OUTPUT: Write findings to ${folder}/subagent/YYYY-MM-DD_HHMMSS_[task-name].md
3. FORMAT: Use the Sub-Agent Output format (see below)
4. RESTRICTION: Do NOT modify _index.md - the parent agent will update it

${FORMAT}`;
}
