import * as z from 'zod/mini';
import type { ApiOperation } from './operation.ts';
import { OPERATIONS } from './operations.ts';
import { ANSWERS } from './schemas.ts';

const schemaOf = (type: z.ZodMiniType): unknown => {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(type, { target: 'openapi-3.0' }) as Record<string, unknown>;
  return schema;
};

const answerObject = (description: string, type: z.ZodMiniType): unknown => ({ description, content: { 'application/json': { schema: schemaOf(type) } } });

const operationId = ({ method, path }: ApiOperation): string =>
  method + path.replace(/^\/v1/, '').replaceAll(/[/{}]+(\w?)/g, (_, letter: string) => letter.toUpperCase());

function operationObject(operation: ApiOperation): unknown {
  const { about, scope, params = {}, query, body } = operation;
  const { properties: queried = {}, required = [] } = query ? (schemaOf(query) as { properties?: Record<string, unknown>; required?: string[] }) : {};
  return {
    operationId: operationId(operation),
    summary: about,
    security: [{ token: [scope] }],
    parameters: [
      ...Object.entries(params).map(([name, type]) => ({ name, in: 'path', required: true, schema: schemaOf(type) })),
      ...Object.entries(queried).map(([name, schema]) => ({ name, in: 'query', required: required.includes(name), schema })),
    ],
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body) } } } }),
    responses: {
      200: answerObject('Done.', operation.answer),
      ...Object.fromEntries(
        Object.entries({
          400: 'The request is not valid.',
          401: 'The token is missing or not valid.',
          403: 'The token lacks the scope, or a rule forbids it.',
          404: 'It does not exist.',
          409: 'It has changed since it was read.',
          413: 'The request is too large.',
          429: 'Too many requests; Retry-After says when to try again.',
        }).map(([status, text]) => [status, answerObject(text, ANSWERS.error)]),
      ),
    },
  };
}

/** The OpenAPI document, made from the schemas that check requests. */
export function openApiDocument(version: string): object {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of OPERATIONS) (paths[operation.path] ??= {})[operation.method] = operationObject(operation);
  return {
    openapi: '3.0.3',
    info: { title: 'Holdfast team server', version, description: 'Search, record versions, review and accounts of organisations. Bodies may be gzipped.' },
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer', bearerFormat: 'hf_ORG_ID_SECRET' } } },
    paths,
  };
}
