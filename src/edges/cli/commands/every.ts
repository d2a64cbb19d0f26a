import type { Command } from '../command.ts';
import { ALL } from './all.ts';
import { brief } from './inject/brief.ts';
import { completion } from './setup/completion.ts';
import { DAILY } from './daily.ts';
import { importConversations } from './conversations/import.ts';
import { recall } from './inject/recall.ts';
import { search } from './find/search.ts';
import { SELDOM } from './seldom.ts';
import { why } from './inject/why.ts';

/** Every command by its name, for the documentation and the tests; the program loads one bundle of them at a time. */
export const EVERY: Readonly<Record<string, Command>> = { search, recall, brief, why, import: importConversations, ...ALL, ...DAILY, ...SELDOM, completion };
