import { endQuickly, fieldsOf, folderOf, isFinished, leaveToServer, type Quick, type SessionFields, startQuickly } from './compose/quick-hook.ts';
import { readHookInput } from './compose/stdin.ts';
import { workingFolder } from './compose/working-folder.ts';

const [, , event, source] = process.argv;
const quick: Quick = { env: process.env, client: 'claude-code', folder: import.meta.dirname };
const place = () => import('./compose/answer-end.ts');

/** What is known without standard input, which takes a fifth of a process's start to read. Only clients that say the session's id in the environment name a source. */
function fieldsAround(): SessionFields | undefined {
  const session = process.env['CLAUDE_CODE_SESSION_ID'];
  if (session === undefined || session === '') return undefined;
  return { session_id: session, cwd: workingFolder(process.env), ...(source !== undefined && { source }) };
}

/** The rarer a way is, the more it loads. */
async function start(): Promise<void> {
  const around = fieldsAround();
  const input = around && source !== undefined ? JSON.stringify(around) : await readHookInput();
  const fields = fieldsOf(input);
  const quickly = fields ? startQuickly(fields, quick) : 'whole';
  if (quickly === 'answered') return;
  if (quickly === 'unknown' && fields && ((await place()).isOff(folderOf(fields, quick.env)) || leaveToServer(fields, quick))) return;
  await (await import('./compose/answer-start.ts')).answerStart(input);
}

async function end(): Promise<void> {
  const around = fieldsAround();
  if (around) {
    if (isFinished(around, quick)) return;
    const quickly = endQuickly(around, quick, false);
    if (quickly === 'answered' || (quickly === 'unknown' && (await place()).isOff(folderOf(around, quick.env)))) return;
  }
  const input = await readHookInput();
  const fields = fieldsOf(input);
  if (fields && (isFinished(fields, quick) || endQuickly(fields, quick, true) === 'answered')) return;
  await (await place()).endSession(input);
}

/** Answers the start or the end of a session; whatever happens, the session goes on. */
export async function run(): Promise<void> {
  // A client that Holdfast itself started is kept out of its hooks.
  if (process.env['HOLDFAST_CHILD'] === '1') return;
  try {
    await (event === 'SessionEnd' ? end : start)();
  } catch (cause) {
    process.stderr.write(`holdfast ${event} hook: ${String(cause).slice(0, 300)}; the session goes on\n`);
  }
  // All is said by now, and taking the process apart piece by piece would cost a millisecond.
  process.exit();
}
