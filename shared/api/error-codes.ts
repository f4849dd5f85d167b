import type { ErrorCode } from '#shared/errors.ts';
import { acceptsIfMatch } from './if-match.ts';
import { isContent, pathParameters, pathTemplates, type Route } from './route.ts';

/** Every code that an operation can return: those of its access and its parts, and those it declares. */
export function errorCodesOf(definition: Route): ErrorCode[] {
  const { access, method, path, query, returns, idempotent, before_terms, errors = [] } = definition;
  // Every request can be invalid: `Prefer: handling=strict` refuses unknown parameters.
  const codes: ErrorCode[] = ['rate_limited', 'error', 'invalid_request'];
  const pages = query !== undefined && 'next_cursor' in query;
  if (access !== 'public') codes.push('unauthorized', 'api_access_disabled');
  if (access !== 'public' && !before_terms) codes.push('terms_acceptance_required');
  if (access === 'write') codes.push('api_key_insufficient', 'api_access_read_only');
  if (access === 'session') codes.push('api_key_insufficient');
  if (method !== 'GET') codes.push('payload_too_large', 'unsupported_media_type');
  if (pages) codes.push('invalid_cursor');
  if (pages && !('prev_cursor' in query)) codes.push('unsupported_cursor_direction');
  if (!isContent(Object.values(returns)[0])) codes.push('not_acceptable');
  if (pathTemplates(path).some(({ template }) => pathParameters(template).length > 0))
    codes.push('record_not_found');
  if (acceptsIfMatch(definition)) codes.push('precondition_failed');
  if (idempotent) codes.push('idempotency_key_in_use');
  return [...new Set([...codes, ...errors])];
}
