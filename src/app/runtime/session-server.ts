import type { HookLog } from '../../core/ports/hook-log.ts';
import { answerHook, type HookEffects } from '../hooks/answer.ts';
import { type HookCall, type HookEvent, eventNamed, readCall, presentAnswer } from '../hooks/call.ts';
import type { HookContext } from '../hooks/hook-context.ts';
import type { UserPrompts } from '../hooks/user-prompts.ts';
import type { IdleWarmup } from './idle-warmup.ts';
import type { SessionOwner } from './session-owner.ts';

/** A frequent hook is logged at most once in this time. */
const NOTED_MS = 60_000;

export interface ServerHost {
  readonly client: string;
  readonly owner: SessionOwner;
  readonly warmup: IdleWarmup;
  readonly prompts: UserPrompts;
  readonly log: HookLog;
  readonly now: () => number;
  /** The folder of calls that name none. */
  readonly folder: string;
  /** Context of an event; undefined when memory is off. */
  readonly open: (cwd: string, call: HookCall) => Promise<{ readonly context: HookContext; readonly effects: HookEffects } | undefined>;
  /** Runs `work` when the client has its answer. */
  readonly afterAnswer: (work: () => void) => void;
  readonly failed: (event: HookEvent, cause: unknown) => void;
}

/** Answers the events of a client's session from the memory that is open. Whatever fails, the session goes on. */
export class SessionServer {
  readonly #host: ServerHost;
  readonly #noted = new Map<HookEvent, number>();
  /** The session that was named last. */
  session: string | undefined;

  constructor(host: ServerHost, session: string | undefined) {
    this.#host = host;
    this.session = session;
  }

  /** The answer for the client; empty when there is none. */
  async answer(input: Readonly<Record<string, unknown>>): Promise<string> {
    const event = eventNamed(typeof input['event'] === 'string' ? input['event'] : '');
    if (event === undefined) return '';
    try {
      const call = readCall(event, input);
      if (!call.ok) throw new Error(call.error.message);
      return await this.#answerCall(call.value);
    } catch (cause) {
      this.#host.failed(event, cause);
      return '';
    }
  }

  async #answerCall(call: HookCall): Promise<string> {
    const { owner, warmup, prompts, folder, open, afterAnswer } = this.#host;
    this.session = call.session ?? this.session;
    prompts.note(call);
    const cwd = call.cwd ?? folder;
    await warmup.ready();
    const opened = await open(cwd, call);
    if (!opened) return '';
    const isNewSession = owner.saw(call, cwd, opened.context.notes);
    const answer = await answerHook(opened.context, call, { kept: () => prompts.takeKept(), ...opened.effects });
    const { later } = answer;
    if (later) afterAnswer(() => owner.later({ cwd, ...later }));
    this.#note(call.event, isNewSession);
    return presentAnswer(call.event, answer, this.#host.client);
  }

  /** Always logs a session's first prompt, because starts are deferred only to a server that answers prompts. */
  #note(event: HookEvent, isNewSession: boolean): void {
    const { log, client, now } = this.#host;
    if (!isNewSession && now() - (this.#noted.get(event) ?? 0) <= NOTED_MS) return;
    this.#noted.set(event, now());
    log.saw(client, event, now());
  }
}
