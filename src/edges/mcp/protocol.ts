import { isObject } from '../../core/value.ts';
import { CODES, failing, type Response, type RpcRequest } from './message.ts';

/** Revisions with a handshake, newest first. A client that requests an unknown one is offered the newest. */
const WITH_HANDSHAKE = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;
/** The revision without a handshake: each request names its version and the client's capabilities. */
export const STATELESS = '2026-07-28';

const META = 'io.modelcontextprotocol/';
const UNSUPPORTED_VERSION = -32_022;

type Fields = Readonly<Record<string, unknown>>;

/** A request's metadata; empty if it has none. */
export const metaOf = (params: Fields): Fields => (isObject(params['_meta']) ? params['_meta'] : {});

export const agreedVersion = (requested: unknown): string => WITH_HANDSHAKE.find((version) => version === requested) ?? WITH_HANDSHAKE[0];

/** Whether a header may name this revision. */
export const isSupportedVersion = (version: string): boolean => version === STATELESS || WITH_HANDSHAKE.some((known) => known === version);

export const metaVersion = (meta: Fields): unknown => meta[`${META}protocolVersion`];

/** Whether a request is stateless: it names its version, or its method exists in no other revision. */
export const isStateless = (method: string, params: Fields): boolean => STATELESS_METHODS.includes(method) || `${META}protocolVersion` in metaOf(params);

/** The lowest level that a stateless request wants logged. */
export const requestLogLevel = (meta: Fields): unknown => meta[`${META}logLevel`];

/** The client's name, from its handshake or from a stateless request. */
export function clientName(params: Fields): string | undefined {
  const info = params['clientInfo'] ?? metaOf(params)[`${META}clientInfo`];
  return isObject(info) && typeof info['name'] === 'string' ? info['name'] : undefined;
}

/** The problem with the metadata of a stateless request. */
export function statelessFault({ id, params }: RpcRequest): Response | undefined {
  const meta = metaOf(params);
  const requested = metaVersion(meta);
  if (requested === undefined) return failing(id, CODES.params, `${META}protocolVersion is missing in _meta`);
  if (requested !== STATELESS) return failing(id, UNSUPPORTED_VERSION, 'this protocol version is not supported', { supported: [STATELESS], requested });
  return isObject(meta[`${META}clientCapabilities`]) ? undefined : failing(id, CODES.params, `${META}clientCapabilities is missing in _meta`);
}

const HANDSHAKE_METHODS = ['initialize', 'ping', 'logging/setLevel'];
const STATELESS_METHODS = ['server/discover', 'subscriptions/listen'];

/** Whether the revision of a request has this method; most are in all. */
export const isKnownMethod = (method: string, stateless: boolean): boolean => !(stateless ? HANDSHAKE_METHODS : STATELESS_METHODS).includes(method);

/** Methods whose results carry cache fields in the stateless revision. Holdfast's change with the memory, so they expire at once. */
const CACHEABLE = /^(?:server\/discover|(?:tools|prompts|resources)\/list|resources\/(?:templates\/list|read))$/;

/** A result with the fields that the stateless revision adds. */
export const statelessResult = (method: string, result: object): object => ({
  ...result,
  resultType: 'complete',
  ...(CACHEABLE.test(method) && { ttlMs: 0, cacheScope: 'private' }),
});

export const discovered = (info: object, capabilities: object, instructions: string | undefined): object => ({
  supportedVersions: [STATELESS],
  capabilities,
  ...(instructions !== undefined && { instructions }),
  _meta: { [`${META}serverInfo`]: info },
});

export const forSubscription = (id: string | number, params: object = {}): object => ({ ...params, _meta: { [`${META}subscriptionId`]: id } });
