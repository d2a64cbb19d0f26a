import { answerAll } from './answers.ts';
import { Bench } from './bench.ts';

/** Works lifecycle cases on real files, each in a folder of its own. */
void answerAll(async () => new Bench());
