import type { FileRef } from '../ports/store.ts';

/** Where a project keeps the skills that agent clients load, from the top of its checkout. */
export const SKILL_FOLDERS = ['.claude/skills', '.agents/skills'] as const;
export type SkillFolder = (typeof SKILL_FOLDERS)[number];

/** The Agent Skills format allows no longer name. */
const SKILL_NAME_LIMIT = 64;
const NAME = '[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?';
const SKILL_NAME = new RegExp(`^${NAME}$`);
const SKILL_PATH = new RegExp(`^\\.(?:claude|agents)/skills/${NAME}/SKILL\\.md$`);

export const isSkillName = (name: string): boolean => SKILL_NAME.test(name) && !name.includes('--');

/** The only files that the store opens in the `skills` root, which is the whole checkout. */
export const isSkillPath = (path: string): boolean => SKILL_PATH.test(path);

export const skillPlace = (folder: SkillFolder, name: string): FileRef => ({ root: 'skills', path: `${folder}/${name}/SKILL.md` });

/** The name of a skill made from a record: its id, cut to what the format allows. */
export const skillNameOf = (id: string): string => id.slice(0, SKILL_NAME_LIMIT).replace(/-{2,}/g, '-').replace(/-+$/, '');
