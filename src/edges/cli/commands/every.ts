import type { Command } from '../command.ts';
import { ALL } from './all.ts';
import { brief } from './brief.ts';
import { completion } from './completion.ts';
import { DAILY } from './daily.ts';
import { importConversations } from './import.ts';
import { recall } from './recall.ts';
import { search } from './search.ts';
import { SELDOM } from './seldom.ts';
import { why } from './why.ts';

/** Every command by its name, for the documentation and the tests; the program loads one bundle of them at a time. */
export const EVERY: Readonly<Record<string, Command>> = { search, recall, brief, why, import: importConversations, ...ALL, ...DAILY, ...SELDOM, completion };
