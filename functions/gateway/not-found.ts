import { type ApiEvent, type ApiResult, endsWithSlash, headerValues } from '#shared/api/call.ts';
import { docsUrl } from '#shared/api/docs-url.ts';
import { commonHeaders, corsHeaders, failure, toResult } from '#shared/api/respond.ts';
import { readAsset } from '#shared/assets.ts';
import { ApiError } from '#shared/errors.ts';
import { getServices, type Services } from '#shared/services.ts';

/**
 * Responds to everything that no operation serves: 404 `not_found` for unknown paths, 405 `method_not_allowed` with
 * `Allow` for known paths, and the CORS preflight (checks 1 and 2 of docs/specification/requests.md).
 */
type Methods = Record<string, string[]>;

/** By asset folder. */
const read = new Map<string | undefined, Methods>();

async function allowedMethods({ config }: Services): Promise<Methods> {
  const methods: Methods = read.get(config.assets_dir) ?? JSON.parse(await readAsset(config, 'methods.json'));
  read.set(config.assets_dir, methods);
  return methods;
}

export async function handler(event: ApiEvent): Promise<ApiResult> {
  const services = getServices();
  const allowed = (await allowedMethods(services))[event.resource];
  const common = commonHeaders(event, services);
  if (event.resource === '/' && wantsPage(event)) return toDocs(event, common);
  if (!allowed || endsWithSlash(event))
    return toResult(event, failure(event, new ApiError('not_found')), common);
  const Allow = [...allowed, 'OPTIONS'].join(', ');
  if (event.httpMethod !== 'OPTIONS')
    return toResult(event, failure(event, new ApiError('method_not_allowed')), { ...common, Allow });
  const response = { status: 204, content_type: undefined, body: '' };
  return toResult(event, response, { ...common, ...preflightHeaders(event, Allow, services), Allow });
}

/** Browsers name HTML; API clients rarely do. */
const wantsPage = (event: ApiEvent) =>
  event.httpMethod === 'GET' && /\btext\/html\b/i.test(headerValues(event, 'accept').join(','));

/** Leads a person at `/` to the documentation. */
function toDocs(event: ApiEvent, common: Record<string, string>): ApiResult {
  const response = { status: 303, content_type: undefined, body: '' };
  return toResult(event, response, { ...common, Location: docsUrl(event), Vary: 'Accept' });
}

/** https://fetch.spec.whatwg.org/#http-cors-protocol */
function preflightHeaders(event: ApiEvent, allow: string, services: Services): Record<string, string> {
  const origin = corsHeaders(event, services.config.cors_origins);
  if (
    !origin['Access-Control-Allow-Origin'] ||
    headerValues(event, 'access-control-request-method').length === 0
  )
    return origin;
  return {
    ...origin,
    'Access-Control-Allow-Methods': allow,
    'Access-Control-Allow-Headers':
      'Authorization, Content-Type, Accept, Idempotency-Key, If-Match, If-None-Match, Prefer',
    'Access-Control-Max-Age': '7200',
  };
}
