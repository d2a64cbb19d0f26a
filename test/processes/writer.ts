import { writeRecords } from './write-records.ts';

void writeRecords(process.argv.slice(2)).catch((cause: unknown) => {
  process.stderr.write(`${String(cause)}\n`);
  process.exitCode = 1;
});
