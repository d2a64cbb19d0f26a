import { isObject } from '../../core/value.ts';
import { ClientLog, type SendMessage, sendProgress } from './call-notices.ts';
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
  /** The tool that only the client's hooks call. It is in no list: hooks call it by its name. */
  readonly hookTool?: Tool;
  readonly resources?: ResourceOffer;
  readonly prompts?: readonly PromptOffer[];
  /** Whether the offer never changes, so that clients need no notices of changes. */
  readonly isFixed?: boolean;
  /** Whether memory is on. While it is off, a client with hooks gets no tools and no instructions. */
  readonly isOn?: () => boolean;
  /** The tool that the client should load at once, because the end of a turn asks for it. */
  readonly eagerTool?: () => string | undefined;
  /** A version of the memory: it changes when a resource does. */
  readonly position?: () => Promise<string | undefined>;
  /** The message for an exception; a general sentence if it is unexpected. */
  explain(cause: unknown): string;
  /** Called when the client gives its name. */
  introduced?(client: string): void;
  /** Called with the origin of each call of the model. */
  called?(origin: CallOrigin): void;
  /** Called with the folders that the client works in. */
  workIn?(folders: readonly string[]): void;
}

export interface Wire {
  /** Sends messages that belong to no request of the client. */
  send: SendMessage;
  /** Runs requests one after the other. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
}

/** A running request, and the way its answer and notices go. */
interface RequestRun {
  readonly request: RpcRequest;
  readonly send: SendMessage;
  cancelled: boolean;
}

/** Whether more messages follow: a subscription stays open until it is cancelled. */
type AnswerState = 'done' | 'open';

/** One client's connection over any transport: answers its messages and sends notices of changes. */
export class McpConnection {
  readonly #offer: McpOffer;
  readonly #wire: Wire;
  #client: string | undefined;
  /** Whether the client got an empty list of tools, because memory was off. */
  #isListEmpty = false;
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

  /** Parses and answers a message. `send` takes its answer, its progress and logs, and the notices of a subscription. */
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
      const hasTools = this.#isListEmpty && !this.#isQuiet();
      if (answer) send(answer);
      if (hasTools) this.#announceTools();
      await this.#announceResources();
    }
    return this.#changes.isOpen(value) ? 'open' : 'done';
  }

  /** Cancels a request, because the client asked for it or closed the stream for its answer. */
  cancel(id: Id): void {
    const run = this.#running.get(id);
    if (run) run.cancelled = true;
    this.#changes.cancel(id);
  }

  async #answerBatch(values: readonly unknown[], send: SendMessage): Promise<void> {
    if (values.length === 0) return send(failing(null, CODES.invalid, 'an empty batch'));
    const answers: Response[] = [];
    for (const value of values) {
      const answer = await this.#answer(value, send);
      if (answer) answers.push(answer);
    }
    if (answers.length > 0) send(answers);
  }

  async #answer(value: unknown, send: SendMessage): Promise<Response | undefined> {
    const incoming = readMessage(value);
    if ('fault' in incoming) return incoming.fault;
    if ('notice' in incoming) return this.#takeNotice(incoming.notice);
    const { request } = incoming;
    const run: RequestRun = { request, send, cancelled: false };
    this.#running.set(request.id, run);
    await this.#folders.known;
    try {
      // A call that has begun runs to its end: half a write is worse than an unused answer.
      const answer = await this.#wire.inTurn(async () => (run.cancelled ? undefined : this.#respond(run)));
      return run.cancelled ? undefined : answer;
    } finally {
      this.#running.delete(request.id);
    }
  }

  #takeNotice(notice: RpcNotice): undefined {
    if ('answers' in notice) {
      this.#folders.takeAnswer(notice.answers, notice.result);
      return;
    }
    const { method, params } = notice;
    this.#folders.takeNotice(method);
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

  /** The first name counts, so that a later call cannot claim to come from another client. */
  #introduce(name: string | undefined): void {
    if (name === undefined || this.#client !== undefined) return;
    this.#client = name;
    this.#offer.introduced?.(name);
  }

  async #resultOf({ request: { id, method, params }, send }: RequestRun, stateless: boolean): Promise<object | undefined> {
    const { resources } = this.#isQuiet() ? {} : this.#offer;
    switch (isKnownMethod(method, stateless) ? method : '') {
      case 'initialize':
        this.#folders.takeCapabilities(params['capabilities']);
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
        return { prompts: this.#prompts().map(({ messages: _messages, ...prompt }) => prompt) };
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

  #listedTools(): readonly object[] {
    this.#isListEmpty = this.#isQuiet();
    if (this.#isListEmpty) return [];
    const eager = this.#offer.eagerTool?.();
    return this.#offer.tools.map(({ run: _run, outputSchema, ...tool }) => ({
      ...tool,
      ...(outputSchema && takesStructured(this.#client) && { outputSchema }),
      ...(tool.name === eager && { _meta: { 'anthropic/alwaysLoad': true } }),
    }));
  }

  /** Only a client's hook gets the hook tool: a model that called it could forge the user's words. */
  #toolNamed(name: unknown, meta: RpcRequest['params']): Tool {
    const { tools, hookTool } = this.#offer;
    if (hookTool && hookTool.name === name && isHookCall(this.#client, meta)) return hookTool;
    const tool = tools.find((offered) => offered.name === name);
    if (!tool) throw new ProtocolFault(`there is no tool ${JSON.stringify(name)}; tools/list names all`);
    this.#offer.called?.(callOrigin(meta));
    return tool;
  }

  /** Reports an error inside a tool as a result, because the model does not see protocol errors. */
  async #call(params: RpcRequest['params'], send: SendMessage): Promise<object> {
    const meta = metaOf(params);
    const tool = this.#toolNamed(params['name'], meta);
    const progress = sendProgress(meta['progressToken'], send);
    try {
      const args = isObject(params['arguments']) ? params['arguments'] : {};
      const { text, structured, isError } = await tool.run(args);
      const content = text === '' ? [] : [{ type: 'text', text }];
      return { content, ...(isError === true ? { isError } : structured && takesStructured(this.#client) && { structuredContent: structured }) };
    } catch (cause) {
      const text = this.#offer.explain(cause);
      this.#log.write('error', `${tool.name}: ${text}`, { send, requestLevel: requestLogLevel(meta) });
      return { content: [{ type: 'text', text }], isError: true };
    } finally {
      clearInterval(progress);
    }
  }

  /** Tells a client that got an empty list of tools to list them again, now that memory is on. */
  #announceTools(): void {
    this.#isListEmpty = false;
    this.#changes.announce('tools');
  }

  async #listResources(cursor: unknown): Promise<object> {
    if (this.#isQuiet() || !this.#offer.resources) return { resources: [] };
    const list = await this.#offer.resources.list(cursor);
    // After the list, because listing brings the index up to date.
    this.#listedAt = await this.#offer.position?.();
    return list;
  }

  /** Tells a client that has listed the resources when the list changes. */
  async #announceResources(): Promise<void> {
    if (this.#listedAt === undefined) return;
    const position = await this.#wire.inTurn(async () => this.#offer.position?.());
    if (position === this.#listedAt) return;
    this.#listedAt = position;
    this.#changes.announce('resources');
  }
}

/** The code of older revisions for a resource that is not there. */
const NOT_FOUND = -32_002;
