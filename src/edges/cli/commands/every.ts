import type { Command } from '../command.ts';
import { ALL } from './all.ts';
import { completion } from './completion.ts';
import { DAILY } from './daily.ts';
import { SELDOM } from './seldom.ts';

/** Every command by its name, for the documentation and the tests; the program loads one bundle of them at a time. */
export const EVERY: Readonly<Record<string, Command>> = { ...ALL, ...DAILY, ...SELDOM, completion };
