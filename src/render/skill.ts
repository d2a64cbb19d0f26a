import type { RecordOf } from '../core/record/schema.ts';
import type { SkillFolder } from '../core/record/skill-place.ts';
import { writeFrontMatter } from './front-matter/write.ts';
import { newBody } from './markdown/body-parts.ts';

/** The format allows 1,024 characters; clients put the description of every skill before their model. */
const DESCRIPTION_LIMIT = 400;

/** Invisible characters: a model could read text that a person does not see. */
const UNSEEN = /(?![\t\n])[\p{Cc}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;
const SEPARATORS = /[\u2028\u2029]/g;

/** Claude Code inserts a file named after `@` into the conversation; mail addresses and escaped signs do not match. */
const FILE_SIGN = /(?<![\p{L}\p{N}_\\])@/gu;

/** When Claude Code loads a skill, it runs commands of the form !`…` and code blocks that begin with `!`. All marks of a block are removed, because a second one would count again. */
const withoutCommands = (text: string): string =>
  text
    .replace(/!(?=`)/g, '! ')
    .replace(/(`{3,}|~{3,})(?:[ \t]*!)+/g, '$1')
    .replace(FILE_SIGN, String.raw`\@`);

const withoutInvisible = (text: string): string => text.replace(UNSEEN, '').replace(SEPARATORS, ' ');

/** One line without angle brackets, which the format forbids in a description. */
const oneLine = (text: string): string => withoutInvisible(text).replace(/[<>]/g, '').replace(/\s+/g, ' ').trim();

function describe({ title, content: { trigger } }: RecordOf<'runbook'>): string {
  const [subject, triggerLine] = [oneLine(title).replace(/[.\s]+$/, ''), oneLine(trigger)];
  const text = withoutCommands(triggerLine === '' || triggerLine === oneLine(title) ? subject : `${subject}. Use when: ${triggerLine}`);
  return [...text].length <= DESCRIPTION_LIMIT
    ? text
    : `${[...text]
        .slice(0, DESCRIPTION_LIMIT - 1)
        .join('')
        .trimEnd()}…`;
}

/** The note in a skill that names its record. */
const skillSource = (id: string): string => `holdfast runbook/${id}`;

/** In its own folder, Claude Code replaces `$1` and `$ARGUMENTS` by a skill's arguments unless they are escaped. */
const withoutArguments = (text: string, folder: SkillFolder): string =>
  folder === '.claude/skills' ? text.replace(/\$(?=\d|ARGUMENTS)/g, (sign) => `\\${sign}`) : text;

/** A runbook as a `SKILL.md`. Its text becomes instructions, so commands, invisible characters and front matter in it are disarmed. */
export function renderSkill(runbook: RecordOf<'runbook'>, name: string, folder: SkillFolder): string {
  const front = writeFrontMatter([
    ['name', name],
    ['description', describe(runbook)],
    ['metadata', { source: skillSource(runbook.id) }],
  ]);
  return `---\n${front}---\n${withoutArguments(withoutCommands(withoutInvisible(newBody(runbook, true).text)), folder)}`;
}

/** Whether a skill file was made from this runbook. */
export const isMadeFrom = (text: string, id: string): boolean => /^---\n[\s\S]*?\n---\n/.exec(text)?.[0].includes(`\n  source: ${skillSource(id)}\n`) === true;
