import { isObject } from '../../core/value.ts';
import { ClientLog, type SendMessage, tellProgress } from './call-notices.ts';
import { Changes, LISTEN_METHOD } from './changes.ts';
import { ClientFolders } from './client-folders.ts';
import type { CallOrigin } from '../../app/runtime/connected-client.ts';
import { callOrigin, isHookCall, listsLess, takesStructured } from './client-marks.ts';
import { CODES, failing, type Id, readMessage, type Response, type RpcNotice, type RpcRequest } from './message.ts';
import { type PromptOffer, promptNamed } from './prompts.ts';
import { agreedVersion, requestLogLevel, clientName, discovered, isKnownMethod, isStateless, metaOf, statelessFault, statelessResult } from './protocol.ts';
import { ProtocolFault, type ResourceOffer } from './resources.ts';
import type { Tool } from './tool.ts';

/** The server's offer: tools, resources and prompts. */
export interface McpOffer {
  readonly name: string;
  readonly version: string;
  readonly instructions: string;
  readonly tools: readonly Tool[];
  /** The tool that only the client's hooks call; clients whose hooks call tools do so without a list of them. */
  readonly hookTool?: Tool;
  readonly resources?: ResourceOffer;
  readonly prompts?: readonly PromptOffer[];
  /** It never changes: no client is told of changes. */
  readonly isFixed?: boolean;
  /** Whether memory is on here; where it is off, a client with hooks is told of no tools and no instructions. */
  readonly isOn?: () => boolean;
  /** The tool that the end of a turn asks for, as long as it does; the client loads it at once. */
  readonly askedTool?: () => string | undefined;
  /** Changes with everything that can be read as a resource. */
  readonly position?: () => Promise<string | undefined>;
  /** Message for an exception; a general sentence for an unexpected one. */
  explain(cause: unknown): string;
  /** The client gave its name. */
  introduced?(client: string): void;
  /** A call of the model says where it comes from. */
  called?(origin: CallOrigin): void;
  /** The client named the folders it works in. */
  workIn?(folders: readonly string[]): void;
}

export interface Wire {
  /** Sends what belongs to no request of the client. */
  send: SendMessage;
  /** Runs requests one after the other. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
}

/** A request under way, and where its answer and notices go. */
interface RequestRun {
  readonly request: RpcRequest;
  readonly send: SendMessage;
  cancelled: boolean;
}

/** Whether more follows in the answer to a message: a subscription stays open until it is cancelled. */
type AnswerState = 'done' | 'open';

/** One client's connection over any transport: answers its messages, and tells it what has changed. */
export class McpConnection {
  readonly #offer: McpOffer;
  readonly #wire: Wire;
  #client: string | undefined;
  /** The client was offered no tools, because memory was off. */
  #listedNothing = false;
  /** The position of the memory when the client listed its resources. */
  #listedAt: string | undefined;
  readonly #log: ClientLog;
  readonly #folders: ClientFolders;
  readonly #changes: Changes;
  readonly #running = new Map<Id, RequestRun>();

  constructor(offer: McpOffer, wire: Wire) {
    this.#offer = offer;
    this.#wire = wire;
    this.#log = new ClientLog(offer.name);
    this.#folders = new ClientFolders(wire.send, offer.workIn);
    this.#changes = new Changes(wire.send);
  }

  /** Answers a message as it came in. `send` takes what belongs to it: its answer, progress, logs, the notices of a subscription. */
  async take(text: string, send: SendMessage = this.#wire.send): Promise<AnswerState> {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      send(failing(null, CODES.parse, 'not JSON'));
      return 'done';
    }
    return this.handle(value, send);
  }

  /** Answers a parsed message: nothing for a notification, a list for a batch. */
  async handle(value: unknown, send: SendMessage = this.#wire.send): Promise<AnswerState> {
    if (Array.isArray(value)) await this.#answerBatch(value, send);
    else {
      const answer = await this.#answer(value, send);
      const isSwitchedOn = this.#listedNothing && !this.#isQuiet();
      if (answer) send(answer);
      if (isSwitchedOn) this.#tellOfTools();
      await this.#tellOfResources();
    }
    return this.#changes.isOpen(value) ? 'open' : 'done';
  }

  /** The client takes a request back, or has closed the stream it was to be answered on. */
  cancel(id: Id): void {
    const run = this.#running.get(id);
    if (run) run.cancelled = true;
    this.#changes.cancel(id);
  }

  async #answerBatch(values: readonly unknown[], send: SendMessage): Promise<void> {
    if (values.length === 0) return send(failing(null, CODES.invalid, 'an empty batch'));
    const answers: Response[] = [];
    for (const one of values) {
      const answer = await this.#answer(one, send);
      if (answer) answers.push(answer);
    }
    if (answers.length > 0) send(answers);
  }

  async #answer(value: unknown, send: SendMessage): Promise<Response | undefined> {
    const incoming = readMessage(value);
    if ('fault' in incoming) return incoming.fault;
    if ('notice' in incoming) return this.#noticed(incoming.notice);
    const { request } = incoming;
    const run: RequestRun = { request, send, cancelled: false };
    this.#running.set(request.id, run);
    await this.#folders.known;
    try {
      // A call that has begun is finished: half a write is worse than an unused answer.
      const answer = await this.#wire.inTurn(async () => (run.cancelled ? undefined : this.#respond(run)));
      return run.cancelled ? undefined : answer;
    } finally {
      this.#running.delete(request.id);
    }
  }

  #noticed(notice: RpcNotice): undefined {
    if ('answers' in notice) {
      this.#folders.answered(notice.answers, notice.result);
      return;
    }
    const { method, params } = notice;
    this.#folders.noticed(method);
    if (method === 'notifications/cancelled') this.cancel(params['requestId'] as Id);
  }

  async #respond(run: RequestRun): Promise<Response | undefined> {
    const { request } = run;
    const { id, method, params } = request;
    const stateless = isStateless(method, params);
    const fault = stateless ? statelessFault(request) : undefined;
    if (fault) return fault;
    this.#introduce(clientName(params) ?? (method === 'initialize' ? '' : undefined));
    try {
      const result = await this.#resultOf(run, stateless);
      return result && { jsonrpc: '2.0', id, result: stateless ? statelessResult(method, result) : result };
    } catch (cause) {
      if (!(cause instanceof ProtocolFault)) return failing(id, CODES.internal, this.#offer.explain(cause));
      const code = cause.isMissing && !stateless ? NOT_FOUND : CODES.params;
      return cause.isUnknown ? failing(id, CODES.unknown, cause.message) : failing(id, code, cause.message, cause.data);
    }
  }

  /** The first name counts: a call cannot pass for another client's. */
  #introduce(name: string | undefined): void {
    if (name === undefined || this.#client !== undefined) return;
    this.#client = name;
    this.#offer.introduced?.(name);
  }

  async #resultOf({ request: { id, method, params }, send }: RequestRun, stateless: boolean): Promise<object | undefined> {
    const { resources } = this.#isQuiet() ? {} : this.#offer;
    switch (isKnownMethod(method, stateless) ? method : '') {
      case 'initialize':
        this.#folders.offered(params['capabilities']);
        return { protocolVersion: agreedVersion(params['protocolVersion']), ...this.#welcome(), serverInfo: this.#info() };
      case 'server/discover':
        return discovered(this.#info(), this.#welcome().capabilities, this.#welcome().instructions);
      case 'ping':
        return {};
      case 'logging/setLevel':
        return this.#log.setLevel(params['level']);
      case LISTEN_METHOD:
        if (this.#offer.isFixed === true) break;
        return this.#changes.listen({ id, wanted: params['notifications'], send }, ['toolsListChanged', ...(resources ? ['resourcesListChanged'] : [])]);
      case 'tools/list':
        return { tools: this.#listedTools() };
      case 'tools/call':
        return this.#call(params, send);
      case 'prompts/list':
        return { prompts: this.#prompts().map(({ messages: _messages, ...about }) => about) };
      case 'prompts/get':
        return promptNamed(this.#prompts(), params);
      case 'completion/complete':
        return { completion: (await resources?.complete(params)) ?? { values: [] } };
      case 'resources/list':
        return this.#listResources(params['cursor']);
      case 'resources/templates/list':
        return { resourceTemplates: resources?.templates ?? [] };
      case 'resources/read':
        if (resources) return resources.read(params['uri']);
    }
    throw new ProtocolFault(`${method} is not offered`, { isUnknown: true });
  }

  #isQuiet(): boolean {
    return listsLess(this.#client) && this.#offer.isOn?.() === false;
  }

  #info(): object {
    return { name: this.#offer.name, title: 'Holdfast memory', version: this.#offer.version };
  }

  #welcome(): { readonly capabilities: object; readonly instructions?: string } {
    const { resources, instructions } = this.#offer;
    if (this.#isQuiet()) return { capabilities: { tools: { listChanged: true } } };
    return {
      capabilities: {
        tools: this.#offer.isFixed === true ? {} : { listChanged: true },
        ...(resources && { resources: { listChanged: true }, completions: {}, logging: {} }),
        ...(this.#prompts().length > 0 && { prompts: {} }),
      },
      instructions,
    };
  }

  #prompts(): readonly PromptOffer[] {
    return listsLess(this.#client) ? [] : (this.#offer.prompts ?? []);
  }

  /** The tools as the client lists them. */
  #listedTools(): readonly object[] {
    this.#listedNothing = this.#isQuiet();
    if (this.#listedNothing) return [];
    const asked = this.#offer.askedTool?.();
    return this.#offer.tools.map(({ run: _run, outputSchema, ...about }) => ({
      ...about,
      ...(outputSchema && takesStructured(this.#client) && { outputSchema }),
      ...(about.name === asked && { _meta: { 'anthropic/alwaysLoad': true } }),
    }));
  }

  /** A model that could call the tool of hooks could forge the user's words. */
  #toolNamed(name: unknown, meta: RpcRequest['params']): Tool {
    const { tools, hookTool } = this.#offer;
    if (hookTool && hookTool.name === name && isHookCall(this.#client, meta)) return hookTool;
    const tool = tools.find((one) => one.name === name);
    if (!tool) throw new ProtocolFault(`there is no tool ${JSON.stringify(name)}; tools/list names all`);
    this.#offer.called?.(callOrigin(meta));
    return tool;
  }

  /** An error inside a tool is a result that the model reads, not a protocol error. */
  async #call(params: RpcRequest['params'], send: SendMessage): Promise<object> {
    const meta = metaOf(params);
    const tool = this.#toolNamed(params['name'], meta);
    const progress = tellProgress(meta['progressToken'], send);
    try {
      const args = isObject(params['arguments']) ? params['arguments'] : {};
      const { text, structured, isError } = await tool.run(args);
      const content = text === '' ? [] : [{ type: 'text', text }];
      return { content, ...(isError === true ? { isError } : structured && takesStructured(this.#client) && { structuredContent: structured }) };
    } catch (cause) {
      const text = this.#offer.explain(cause);
      this.#log.write('error', `${tool.name}: ${text}`, { send, asked: requestLogLevel(meta) });
      return { content: [{ type: 'text', text }], isError: true };
    } finally {
      clearInterval(progress);
    }
  }

  /** Tells a client that was told of no tools to ask again, now that memory is on. */
  #tellOfTools(): void {
    this.#listedNothing = false;
    this.#changes.tell('tools');
  }

  async #listResources(cursor: unknown): Promise<object> {
    if (this.#isQuiet() || !this.#offer.resources) return { resources: [] };
    const list = await this.#offer.resources.list(cursor);
    // Not before: the list brings the index up to date.
    this.#listedAt = await this.#offer.position?.();
    return list;
  }

  /** Tells a client that listed the records when the list has changed. */
  async #tellOfResources(): Promise<void> {
    if (this.#listedAt === undefined) return;
    const position = await this.#wire.inTurn(async () => this.#offer.position?.());
    if (position === this.#listedAt) return;
    this.#listedAt = position;
    this.#changes.tell('resources');
  }
}

/** The code of older revisions for a resource that is not there. */
const NOT_FOUND = -32_002;
