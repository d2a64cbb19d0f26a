import type * as z from 'zod/mini';
import type { RECORD_ANSWERS } from './record-operations.ts';
import type { ANSWERS } from './schemas.ts';

type Answer<T extends z.ZodMiniType> = z.infer<T>;

/** The answers of the API. The team's page imports nothing else of `src/`. */
export type TeamMe = Answer<(typeof ANSWERS)['me']>;
export type TeamToken = Answer<(typeof ANSWERS)['token']>;
export type TeamProjects = Answer<(typeof ANSWERS)['projects']>;
export type TeamRecords = Answer<(typeof ANSWERS)['records']>;
export type TeamRecord = Answer<(typeof ANSWERS)['record']>;
export type TeamHits = Answer<(typeof ANSWERS)['search']>;
export type TeamProposals = Answer<(typeof ANSWERS)['proposals']>;
export type TeamProposal = Answer<(typeof ANSWERS)['proposal']>;
export type TeamMessages = Answer<(typeof ANSWERS)['messages']>;
export type TeamAudit = Answer<(typeof ANSWERS)['audit']>;
export type TeamBody = Answer<(typeof ANSWERS)['body']>;
export type TeamVersions = Answer<(typeof RECORD_ANSWERS)['versions']>;
export type TeamEdit = Answer<(typeof RECORD_ANSWERS)['edit']>;
