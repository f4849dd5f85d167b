import type { IncomingMessage } from 'node:http';
import type { ApiResult } from '#shared/api/call.ts';
import type { FieldErrors } from '#shared/errors.ts';
import { targetOf } from './request.ts';
import type { StreamedResult } from './stream.ts';

interface SentError {
  code: string;
  fields?: FieldErrors;
}

function errorOf(result: ApiResult | StreamedResult): SentError | undefined {
  const body = 'body' in result ? result.body : result.error;
  if (result.statusCode < 400 || !body) return undefined;
  return (JSON.parse(body) as { error?: SentError }).error;
}

/**
 * A request in one line, for a developer: `POST /tags 400 invalid_request name: required (12 ms)`. The query is left out,
 * because it may contain secrets.
 */
export function requestLine(
  request: Pick<IncomingMessage, 'method' | 'url'>,
  result: ApiResult | StreamedResult,
  ms: number,
): string {
  const error = errorOf(result);
  const fields = Object.entries(error?.fields ?? {}).map(([name, { code }]) => `${name}: ${code}`);
  const { path } = targetOf(request.url ?? '/');
  const parts = [request.method, path, result.statusCode, error?.code, fields.join(', ')];
  return `${parts.filter((part) => part !== undefined && part !== '').join(' ')} (${Math.round(ms)} ms)`;
}
