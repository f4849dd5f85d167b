import { type ErrorCode, errorCatalogue, fieldCodes } from '#shared/errors.ts';
import { errorCodesOf } from './error-codes.ts';
import { isRetrieve } from './etag.ts';
import type { Route } from './route.ts';

/** The failures of an operation in OpenAPI, from the error catalogue. */

const header = (name: string) => ({ $ref: `#/components/headers/${name}` });

const rateHeaders = {
  'RateLimit-Limit': header('RateLimit-Limit'),
  'RateLimit-Remaining': header('RateLimit-Remaining'),
  'RateLimit-Reset': header('RateLimit-Reset'),
};

const preferenceHeaders = {
  'Ignored-Fields': header('Ignored-Fields'),
  'Preference-Applied': header('Preference-Applied'),
};

export function successHeaders(definition: Route) {
  const rates = definition.access === 'public' ? {} : rateHeaders;
  const shown = definition.versioned && definition.method !== 'DELETE';
  const etag = isRetrieve(definition) || shown ? { ETag: header('ETag') } : {};
  const replayed = definition.idempotent ? { 'Idempotent-Replayed': header('Idempotent-Replayed') } : {};
  return { 'X-Request-Id': header('X-Request-Id'), ...preferenceHeaders, ...rates, ...etag, ...replayed };
}

/** Headers that come with some statuses only. */
function errorHeaders(status: number, definition: Route) {
  const challenge = status === 401 ? { 'WWW-Authenticate': header('WWW-Authenticate') } : {};
  const wait = status === 429 ? { 'Retry-After': header('Retry-After') } : {};
  // An unknown credential has no rate limits.
  const rates = status === 401 || definition.access === 'public' ? {} : rateHeaders;
  return { 'X-Request-Id': header('X-Request-Id'), ...preferenceHeaders, ...rates, ...challenge, ...wait };
}

function errorResponse(status: number, codes: ErrorCode[], definition: Route) {
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].message}`).join('\n\n'),
    headers: errorHeaders(status, definition),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

/** The responses of an operation's failures, one for each status, by component name. */
function namedResponses(definition: Route) {
  const byStatus = Map.groupBy(errorCodesOf(definition), (code) => errorCatalogue[code].status);
  const suffix = definition.access === 'public' ? '.public' : '';
  return [...byStatus].map(([status, codes]) => ({
    status: String(status),
    name: codes.toSorted().join('.') + suffix,
    response: errorResponse(status, codes, definition),
  }));
}

/** Operations with the same failures share their responses. */
export function errorResponses(definition: Route): Record<string, { $ref: string }> {
  return Object.fromEntries(
    namedResponses(definition).map(({ status, name }) => [
      status,
      { $ref: `#/components/responses/${name}` },
    ]),
  );
}

const exampleFields: Partial<Record<ErrorCode, object>> = {
  invalid_request: { name: { code: 'required', message: 'is required' } },
  invalid_email_address: { email_address: { code: 'invalid_format', message: 'must be an email address' } },
  tag_name_taken: { name: { code: 'taken', message: 'is the name of another tag' } },
  group_name_taken: { name: { code: 'taken', message: 'is the name of another group' } },
  external_id_taken: { external_id: { code: 'taken', message: 'is on another contact' } },
  custom_field_key_taken: {
    key: { code: 'taken', message: 'is the key of another field of the record type' },
  },
  custom_field_taken: {
    'custom_fields.customer_number': { code: 'taken', message: 'is on another of the contacts' },
  },
  email_address_taken: {
    'email_addresses.0.email_address': { code: 'taken', message: 'is on another contact' },
  },
};

const REQUEST_ID = 'b7e1c3f2-5a0d-4b52-9a43-9f0a4c8f6f10';

/** What documentation shows as the body of such a failure. */
export function exampleError(code: ErrorCode) {
  const { message } = errorCatalogue[code];
  const fields = exampleFields[code];
  const place = { request_id: REQUEST_ID, doc_url: `/docs/errors#${code}` };
  return { summary: code, value: { error: { code, message, ...(fields ? { fields } : {}), ...place } } };
}

const whole = { type: 'integer' };

/** The components of every document, and the examples and responses that its operations use. */
export function errorComponents(definitions: Route[]) {
  const codes = new Set(definitions.flatMap(errorCodesOf));
  const responses = definitions
    .flatMap(namedResponses)
    .map(({ name, response }) => [name, response] as const);
  return {
    responses: Object.fromEntries(responses.toSorted(([a], [b]) => (a < b ? -1 : 1))),
    schemas: {
      Error: {
        type: 'object',
        description: 'What every failed request returns.',
        required: ['error'],
        properties: {
          error: { $ref: '#/components/schemas/ErrorDetail', description: 'What went wrong.' },
        },
        additionalProperties: true,
      },
      ErrorDetail: {
        type: 'object',
        description: 'Why a request failed.',
        required: ['code', 'message', 'request_id', 'doc_url'],
        properties: {
          code: { type: 'string', description: 'A stable identifier: branch on it.' },
          message: { type: 'string', description: 'English text for a person; it may be reworded.' },
          fields: {
            type: 'object',
            description: 'The fields the error is about, each with its first problem.',
            additionalProperties: { $ref: '#/components/schemas/FieldError' },
          },
          request_id: { type: 'string', description: 'Names this request: give it to support.' },
          doc_url: { type: 'string', description: 'The page that explains the code.' },
        },
        additionalProperties: true,
      },
      FieldError: {
        type: 'object',
        description: 'The first problem of one field.',
        required: ['code', 'message'],
        properties: {
          code: { type: 'string', enum: fieldCodes, description: 'The kind of problem: branch on it.' },
          message: { type: 'string', description: 'English text for a person; it may be reworded.' },
        },
        additionalProperties: true,
      },
    },
    examples: Object.fromEntries([...codes].sort().map((code) => [code, exampleError(code)])),
    headers: {
      'X-Request-Id': { description: 'Names this request: give it to support.', schema: { type: 'string' } },
      'Ignored-Fields': {
        description:
          'Parameters and body keys of the request that the operation does not know, each with the known name that it ' +
          'may stand for. Missing when there are none.',
        schema: { type: 'string', examples: ['"statuss";nearest="status"'] },
      },
      'Preference-Applied': {
        description: 'Sent when the request had `Prefer: handling=strict`.',
        schema: { type: 'string', const: 'handling=strict' },
      },
      'RateLimit-Limit': { description: 'Requests allowed in a minute.', schema: whole },
      'RateLimit-Remaining': { description: 'Requests left at the moment.', schema: whole },
      'RateLimit-Reset': { description: 'Seconds until the whole limit is there again.', schema: whole },
      ETag: {
        description:
          'Changes when the record does: send it as If-Match with a change, or as If-None-Match to retrieve the record again.',
        schema: { type: 'string' },
      },
      'Idempotent-Replayed': {
        description: 'Sent when the response is that of an earlier request with the same `Idempotency-Key`.',
        schema: { type: 'string', const: 'true' },
      },
      'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
      'WWW-Authenticate': { description: 'Always Bearer.', schema: { type: 'string', const: 'Bearer' } },
    },
  };
}
