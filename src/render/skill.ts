import type { RecordOf } from '../core/record/schema.ts';
import type { SkillFolder } from '../core/record/skill-place.ts';
import { writeFrontMatter } from './front-matter/write.ts';
import { newBody } from './markdown/body-parts.ts';

/** The format allows 1,024 characters; clients put the description of every skill before their model. */
const DESCRIPTION_LIMIT = 400;

/** Invisible characters could show a model text that the person who reads the skill does not see. */
const UNSEEN = /(?![\t\n])[\p{Cc}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;
const SEPARATORS = /[\u2028\u2029]/g;

/** Claude Code reads the file that is named after such a sign into the conversation, unasked; addresses of mail and escaped signs are left alone. */
const FILE_SIGN = /(?<![\p{L}\p{N}_\\])@/gu;

/** Claude Code runs what stands in backquotes after an exclamation mark, and code blocks that begin with one, when it loads a skill; one that is taken out must not uncover another. */
const inactive = (text: string): string =>
  text
    .replace(/!(?=`)/g, '! ')
    .replace(/(`{3,}|~{3,})(?:[ \t]*!)+/g, '$1')
    .replace(FILE_SIGN, String.raw`\@`);

const visible = (text: string): string => text.replace(UNSEEN, '').replace(SEPARATORS, ' ');

/** One line, without the signs of tags, which the format forbids in a description. */
const oneLine = (text: string): string => visible(text).replace(/[<>]/g, '').replace(/\s+/g, ' ').trim();

function describe({ title, content: { trigger } }: RecordOf<'runbook'>): string {
  const [what, when] = [oneLine(title).replace(/[.\s]+$/, ''), oneLine(trigger)];
  const text = inactive(when === '' || when === oneLine(title) ? what : `${what}. Use when: ${when}`);
  return [...text].length <= DESCRIPTION_LIMIT
    ? text
    : `${[...text]
        .slice(0, DESCRIPTION_LIMIT - 1)
        .join('')
        .trimEnd()}…`;
}

/** By what a skill says which record it was made from. */
const skillSource = (id: string): string => `holdfast runbook/${id}`;

/** In its own folder Claude Code fills in what a skill was called with, unless a backslash stands before the sign. */
const unfilled = (text: string, folder: SkillFolder): string =>
  folder === '.claude/skills' ? text.replace(/\$(?=\d|ARGUMENTS)/g, (sign) => `\\${sign}`) : text;

/** A runbook as a `SKILL.md`. Its words become instructions, so nothing in them runs, hides or adds a field. */
export function renderSkill(runbook: RecordOf<'runbook'>, name: string, folder: SkillFolder): string {
  const front = writeFrontMatter([
    ['name', name],
    ['description', describe(runbook)],
    ['metadata', { source: skillSource(runbook.id) }],
  ]);
  return `---\n${front}---\n${unfilled(inactive(visible(newBody(runbook, true).text)), folder)}`;
}

/** Whether a file says that it was made from this runbook. */
export const isMadeFrom = (text: string, id: string): boolean => /^---\n[\s\S]*?\n---\n/.exec(text)?.[0].includes(`\n  source: ${skillSource(id)}\n`) === true;
