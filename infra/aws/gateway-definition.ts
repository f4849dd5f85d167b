import { endpointsOf, type Operation } from '#shared/api/catalogue.ts';
import { type ErrorCode, errorCatalogue } from '#shared/errors.ts';

/**
 * The gateway as an OpenAPI 3.0.1 skeleton with API Gateway's extensions: paths and integrations, no schemas (the
 * functions validate). https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-swagger-extensions.html
 */
export interface Integrations<Integration> {
  of(operation: Operation): Integration;
  notFound: Integration;
}

/** A path and all paths above it, `/` included: `/threads/{id}` gives `/`, `/threads` and itself. */
function withParents(resource: string): string[] {
  const segments = resource.split('/').slice(1);
  return ['/', ...segments.map((_segment, i) => `/${segments.slice(0, i + 1).join('/')}`)];
}

function method<Integration>(integration: Integration) {
  return { responses: {}, 'x-amazon-apigateway-integration': integration };
}

const ANY = 'x-amazon-apigateway-any-method';

/**
 * Every path has every method: those without an operation go to `notFound`, as do paths between operations. The
 * any-method comes first, because later methods win in `sam local`.
 */
function gatewayPaths<Integration>(operations: Operation[], integrations: Integrations<Integration>) {
  const endpoints = endpointsOf(operations);
  const paths: Record<string, Record<string, ReturnType<typeof method<Integration>>>> = {};
  for (const resource of ['/', '/{proxy+}', ...endpoints.flatMap(({ resource }) => withParents(resource))])
    paths[resource] ??= { [ANY]: method(integrations.notFound) };
  for (const { resource, method: verb, operation } of endpoints) {
    const methods = paths[resource] as (typeof paths)[string];
    const name = verb.toLowerCase();
    if (methods[name]) throw new Error(`Two operations serve ${verb} ${resource}; one is ${operation.name}.`);
    methods[name] = method(integrations.of(operation));
  }
  return paths;
}

interface GatewayError {
  code: ErrorCode;
  message?: string;
  headers?: Record<string, string>;
}

const refused: GatewayError = {
  code: 'permission_denied',
  message: 'The request was refused before it reached the service.',
};

/**
 * Responses that API Gateway makes itself, by type:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 *
 * It reads an unknown path as a request with missing or wrong AWS credentials. AWS fixes its 413 for bodies over 10 MB;
 * ours applies from 5 MB on. AWS also fixes its 431 for more than 10 KB of headers. DEFAULT_4XX sets no status: it
 * would set all others.
 */
const gatewayErrors: Record<string, GatewayError> = {
  BAD_REQUEST_BODY: { code: 'invalid_request' },
  BAD_REQUEST_PARAMETERS: { code: 'invalid_request' },
  UNAUTHORIZED: { code: 'unauthorized', headers: { 'WWW-Authenticate': 'Bearer' } },
  ACCESS_DENIED: refused,
  WAF_FILTERED: refused,
  INVALID_API_KEY: refused,
  MISSING_AUTHENTICATION_TOKEN: { code: 'not_found' },
  INVALID_SIGNATURE: { code: 'not_found' },
  EXPIRED_TOKEN: { code: 'not_found' },
  RESOURCE_NOT_FOUND: { code: 'not_found' },
  REQUEST_TOO_LARGE: { code: 'payload_too_large' },
  UNSUPPORTED_MEDIA_TYPE: { code: 'unsupported_media_type' },
  THROTTLED: { code: 'rate_limited', headers: { 'Retry-After': '1' } },
  QUOTA_EXCEEDED: { code: 'rate_limited', headers: { 'Retry-After': '60' } },
  API_CONFIGURATION_ERROR: { code: 'error' },
  AUTHORIZER_CONFIGURATION_ERROR: { code: 'error' },
  AUTHORIZER_FAILURE: { code: 'error' },
  INTEGRATION_FAILURE: { code: 'error' },
  INTEGRATION_TIMEOUT: { code: 'error' },
  DEFAULT_4XX: { code: 'invalid_request' },
  DEFAULT_5XX: { code: 'error' },
};

/** Constant texts need no protection, so any origin may read them once any web page may call the API. */
const browserHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'X-Request-Id, Retry-After',
};

/** Headers of all responses that the gateway makes itself. */
export function gatewayHeaders(browsers: boolean): Record<string, string> {
  return {
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    ...(browsers ? browserHeaders : {}),
  };
}

/** How the gateway differs between deployments. */
interface Appearance {
  /** Some web pages may call the API. */
  browsers: boolean;
  /** It is called at a domain of its own: paths begin without the name of the stage. */
  own_domain: boolean;
}

function gatewayResponse(
  type: string,
  { code, message, headers }: GatewayError,
  { browsers, own_domain }: Appearance,
) {
  const { status, message: usual } = errorCatalogue[code];
  const constant = { ...gatewayHeaders(browsers), ...headers };
  const parameters: Record<string, string> = { 'gatewayresponse.header.X-Request-Id': 'context.requestId' };
  for (const [name, value] of Object.entries(constant))
    parameters[`gatewayresponse.header.${name}`] = `'${value}'`;
  return {
    ...(type === 'DEFAULT_4XX' ? {} : { statusCode: String(status) }),
    responseParameters: parameters,
    responseTemplates: {
      'application/json': JSON.stringify({
        error: {
          code,
          message: message ?? usual,
          request_id: '$context.requestId',
          doc_url: `https://$context.domainName${own_domain ? '' : '/$context.stage'}/docs/errors#${code}`,
        },
      }),
    },
  };
}

function gatewayResponses(appearance: Appearance) {
  return Object.fromEntries(
    Object.entries(gatewayErrors).map(([type, error]) => [type, gatewayResponse(type, error, appearance)]),
  );
}

export function gatewayDefinition<Integration>(
  title: string,
  operations: Operation[],
  integrations: Integrations<Integration>,
  appearance: Appearance,
) {
  return {
    openapi: '3.0.1',
    info: { title, version: '1' },
    paths: gatewayPaths(operations, integrations),
    'x-amazon-apigateway-gateway-responses': gatewayResponses(appearance),
  };
}
