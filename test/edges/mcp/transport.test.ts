import { expect, onTestFinished, test, vi } from 'vitest';
import { type McpOffer, McpConnection } from '../../../src/edges/mcp/connection.ts';
import { TaskQueue } from '../../../src/core/task-queue.ts';
import { PATIENCE } from '../../patience.ts';

const META = 'io.modelcontextprotocol/';
const STATELESS = { [`${META}protocolVersion`]: '2026-07-28', [`${META}clientCapabilities`]: {} };

const TOOLS: McpOffer['tools'] = [
  {
    name: 'fails',
    description: 'Fails',
    inputSchema: { type: 'object' },
    annotations: { title: 'Fails', readOnlyHint: true, openWorldHint: false },
    run: async () => {
      throw new Error('broken');
    },
  },
];

/** A connection without a transport; `unasked` are the messages that belong to no request. */
function connection(more: Partial<McpOffer> = {}) {
  const unasked: object[] = [];
  const turns = new TaskQueue();
  const offer: McpOffer = { name: 'holdfast', version: '1', instructions: 'x', tools: TOOLS, explain: (cause) => String(cause), ...more };
  const made = new McpConnection(offer, { send: (message) => void unasked.push(message), inTurn: (work) => turns.run(work) });
  const post = async (message: object | readonly object[]) => {
    const sent: object[] = [];
    const taken = await made.handle(message, (one) => void sent.push(one));
    return { sent, taken };
  };
  return { made, unasked, post };
}

const rpc = (id: number, method: string, params: object = {}) => ({ jsonrpc: '2.0', id, method, params });

test('the answer to a message goes where the message came from, whatever the transport', async () => {
  const { made, unasked, post } = connection();
  const [one, two] = await Promise.all([post(rpc(1, 'ping')), post(rpc(2, 'tools/list'))]);
  expect(one).toEqual({ sent: [{ jsonrpc: '2.0', id: 1, result: {} }], taken: 'done' });
  expect(two.sent).toMatchObject([{ id: 2, result: { tools: [{ name: 'fails' }] } }]);
  expect(await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).toEqual({ sent: [], taken: 'done' });
  expect((await post([rpc(3, 'ping'), rpc(4, 'ping')])).sent).toEqual([
    [
      { jsonrpc: '2.0', id: 3, result: {} },
      { jsonrpc: '2.0', id: 4, result: {} },
    ],
  ]);
  expect(unasked).toEqual([]);
  await made.take('no JSON');
  expect(unasked).toMatchObject([{ error: { code: -32_700 } }]);
});

test('what a call logs goes beside its answer, at the level that the client or the request asked for', async () => {
  const { post, unasked } = connection();
  const call = (id: number, meta: object = {}) => post(rpc(id, 'tools/call', { name: 'fails', _meta: meta }));
  const FAILED = { id: expect.any(Number) as number, result: { isError: true, content: [{ text: 'Error: broken' }] } };
  expect((await call(1)).sent).toMatchObject([FAILED]);
  await post(rpc(2, 'logging/setLevel', { level: 'critical' }));
  expect((await call(3)).sent).toMatchObject([FAILED]);
  await post(rpc(4, 'logging/setLevel', { level: 'warning' }));
  const LOGGED = { method: 'notifications/message', params: { level: 'error', logger: 'holdfast', data: 'fails: Error: broken' } };
  expect((await call(5)).sent).toMatchObject([LOGGED, FAILED]);
  expect(await post(rpc(6, 'logging/setLevel', { level: 'loud' }))).toMatchObject({ sent: [{ error: { code: -32_602 } }] });
  const other = connection();
  const asked = await other.post(rpc(7, 'tools/call', { name: 'fails', _meta: { ...STATELESS, [`${META}logLevel`]: 'info' } }));
  expect(asked.sent).toMatchObject([LOGGED, FAILED]);
  expect(unasked).toEqual([]);
});

/** A tool that works until the test lets it end. */
function slowTool() {
  let end = (): void => undefined;
  const ended = new Promise<void>((done) => (end = done));
  const tool = { ...(TOOLS[0] as McpOffer['tools'][number]), name: 'slow', run: () => ended.then(() => ({ text: 'done' })) };
  return { end: () => end(), tools: [tool] };
}

test('a long call tells its progress every second to a client that asked for it, and no more once it is answered', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  for (const meta of [{ progressToken: 'p' }, {}]) {
    const { end, tools } = slowTool();
    const { made } = connection({ tools });
    const sent: object[] = [];
    const answered = made.handle(rpc(1, 'tools/call', { name: 'slow', _meta: meta }), (one) => void sent.push(one));
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe('progressToken' in meta ? 1 : 0), PATIENCE);
    vi.advanceTimersByTime(2_500);
    end();
    await answered;
    vi.advanceTimersByTime(5_000);
    const told = (progress: number) => ({ method: 'notifications/progress', params: { progressToken: 'p', progress } });
    expect(sent).toMatchObject([...('progressToken' in meta ? [told(1), told(2)] : []), { id: 1, result: { content: [{ text: 'done' }] } }]);
    expect(sent).toHaveLength('progressToken' in meta ? 3 : 1);
  }
});

test('a call that is cancelled while it runs is ended and not answered', async () => {
  const { end, tools } = slowTool();
  const { post } = connection({ tools });
  const running = post(rpc(1, 'tools/call', { name: 'slow' }));
  await post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
  end();
  expect((await running).sent).toEqual([]);
  expect((await post(rpc(2, 'ping'))).sent).toMatchObject([{ id: 2, result: {} }]);
});

test('a subscription keeps its answer open, and is told there until it is cancelled', async () => {
  let position = 'a';
  const resources: NonNullable<McpOffer['resources']> = {
    templates: [],
    list: async () => ({ resources: [] }),
    read: async () => ({}),
    complete: async () => ({}),
  };
  const { made, post, unasked } = connection({ resources, position: async () => position });
  const stream: object[] = [];
  const taken = await made.handle(rpc(9, 'subscriptions/listen', { notifications: { resourcesListChanged: true }, _meta: STATELESS }), (one) =>
    stream.push(one),
  );
  expect(taken).toBe('open');
  await post(rpc(10, 'resources/list', { _meta: STATELESS }));
  position = 'b';
  expect((await post(rpc(11, 'tools/list', { _meta: STATELESS }))).sent).toHaveLength(1);
  expect(stream).toMatchObject([{ method: 'notifications/subscriptions/acknowledged' }, { method: 'notifications/resources/list_changed' }]);
  made.cancel(9);
  position = 'c';
  await post(rpc(12, 'tools/list', { _meta: STATELESS }));
  expect(stream).toHaveLength(2);
  expect(unasked).toEqual([{ jsonrpc: '2.0', method: 'notifications/resources/list_changed' }]);
});

test('a revision answers no method that it does not have', async () => {
  const { post } = connection();
  for (const method of ['ping', 'initialize', 'logging/setLevel'])
    expect((await post(rpc(1, method, { level: 'info', _meta: STATELESS }))).sent, method).toMatchObject([{ error: { code: -32_601 } }]);
  expect((await post(rpc(1, 'tasks/list'))).sent).toMatchObject([{ error: { code: -32_601 } }]);
  // These are only in the stateless revision, whose requests name their version.
  for (const method of ['server/discover', 'subscriptions/listen'])
    expect((await post(rpc(1, method))).sent, method).toMatchObject([
      { error: { code: -32_602, message: 'io.modelcontextprotocol/protocolVersion is missing in _meta' } },
    ]);
});
