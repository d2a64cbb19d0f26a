import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { dataIn } from './measure.ts';
import { ARCHIVES, disagreements, judgedIn, labelsIn, printed } from './triage/labels.ts';
import { sentences, smallTalk } from './triage/sentences.ts';

/** Compares triage with the judgement of people on stretches of real transcripts, on sentences and on small talk. */
const HOW = `Origin of the parts
  tune      triage-labels.jsonl: labelled by hand, in three rounds. A part of it was once kept apart to report on, and then read while the rules
            were worked on; so all of it counts as tuning now, and its figures say how well the rules fit, not how well they generalise.
  hold-out  triage-holdout.jsonl: other stretches, labelled by a person who did not work on the rules; those who worked on the rules
            did not read it and ran it for its totals only. --show leaves it out. docs/decisions/capture.md says how it was chosen.
Recall is right / (right + missed), precision right / (right + wrong). Where two careful people might disagree, a stretch counts neither way.`;

const SMALL_TALK = 'locomo-dev/messages.jsonl';

function transcripts(folder: string): void {
  console.log(HOW);
  const tuned = judgedIn(folder, labelsIn('bench/triage-labels.jsonl'));
  const holdout = judgedIn(folder, labelsIn('bench/triage-holdout.jsonl'));
  printed('Tune', tuned);
  if (holdout.size > 0) printed('Hold-out', holdout);
  else console.log('\nHold-out: skipped, bench/triage-holdout.jsonl is not there');
  if (process.argv.includes('--show')) disagreements(tuned);
}

function main(): void {
  const data = dataIn(process.argv);
  const archives = [...new Set(Object.values(ARCHIVES))];
  const missing = archives.filter((archive) => !fs.existsSync(path.join(data, archive)));
  if (missing.length > 0) {
    console.log(`skipped: ${missing.join(' and ')} not found in ${data}; give the folder with --data`);
    sentences();
    return;
  }
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-bench-'));
  try {
    for (const archive of archives) {
      if (spawnSync('tar', ['-xf', path.join(data, archive), '-C', folder], { stdio: 'inherit' }).status !== 0)
        throw new Error(`tar could not unpack ${archive}`);
    }
    transcripts(folder);
    sentences();
    const talk = path.join(data, SMALL_TALK);
    if (fs.existsSync(talk)) smallTalk(talk);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

main();
