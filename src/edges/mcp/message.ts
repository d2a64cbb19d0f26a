import { isObject } from '../../core/value.ts';

/** JSON-RPC 2.0, as far as MCP uses it. */
export type Id = string | number;

export interface RpcRequest {
  readonly id: Id;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export type Response = { readonly jsonrpc: '2.0'; readonly id: Id | null } & (
  | { readonly result: object }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: object } }
);

export const CODES = { parse: -32_700, invalid: -32_600, unknown: -32_601, params: -32_602, internal: -32_603 } as const;

export const failing = (id: Id | null, code: number, message: string, data?: object): Response => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, ...(data && { data }) },
});

export const notification = (method: string, params?: object): object => ({ jsonrpc: '2.0', method, ...(params && { params }) });

const ID = String.raw`"id"\s*:\s*("[^"\\]{0,200}"|-?\d{1,15})`;
const BESIDE = String.raw`"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*`;
const ID_FIRST = new RegExp(String.raw`^\s*\{\s*(?:${BESIDE},\s*)*${ID}`);
const ID_LAST = new RegExp(String.raw`${ID}\s*(?:,\s*${BESIDE})*\}\s*$`);

/** The error for a message that is too long to parse, with its id if that is at either end. */
export function tooLong(head: string, tail: string): Response {
  const id = (ID_FIRST.exec(head) ?? ID_LAST.exec(tail))?.[1];
  return failing(id === undefined ? null : (JSON.parse(id) as Id), CODES.invalid, 'the message is longer than 64 MB; send less at once');
}

/** A notification of the client, or its answer to a request of the server. */
export type RpcNotice = { readonly method: string; readonly params: Readonly<Record<string, unknown>> } | { readonly answers: Id; readonly result: unknown };

/** A parsed line: a request, a notice, or an error to report. */
export type RpcMessage = { readonly request: RpcRequest } | { readonly notice: RpcNotice } | { readonly fault: Response };

const isId = (value: unknown): value is Id => typeof value === 'string' || typeof value === 'number';

export function readMessage(value: unknown): RpcMessage {
  if (!isObject(value) || value['jsonrpc'] !== '2.0') return { fault: failing(null, CODES.invalid, 'not a JSON-RPC 2.0 message') };
  const { id, method, params } = value;
  if (typeof method !== 'string') {
    if (!('result' in value || 'error' in value)) return { fault: failing(null, CODES.invalid, 'no method') };
    return { notice: { answers: isId(id) ? id : '', result: value['result'] } };
  }
  if (id === undefined) return { notice: { method, params: isObject(params) ? params : {} } };
  if (!isId(id)) return { fault: failing(null, CODES.invalid, 'the id must be a string or a number') };
  return { request: { id, method, params: isObject(params) ? params : {} } };
}
