import type { IncomingMessage } from 'node:http';
import type { ApiEvent, ApiResult } from '#shared/api/call.ts';
import { ApiError } from '#shared/errors.ts';

/** The limits of API Gateway and Lambda: what the cloud refuses is refused here as well. */

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html */
export const HEADER_BYTES = 10_240;
export const BODY_BYTES = 10 * 1024 * 1024;
/** Milliseconds. */
export const INTEGRATION_TIMEOUT = 29_000;

/**
 * Bytes of the JSON that a function receives, and of the JSON that it returns. These are the documented 6 MB, as
 * Lambda's own errors state them (RequestEntityTooLarge):
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
export const EVENT_BYTES = 6_291_456;
export const RESPONSE_BYTES = 6_291_556;

/** Request line and header lines as sent: names, values and separators. */
function headerBytes({ method = '', url = '', rawHeaders }: IncomingMessage): number {
  const line = method.length + url.length + ' '.length * 2 + 'HTTP/1.1\r\n'.length;
  // Latin-1: a character is a byte.
  const text = rawHeaders.reduce((sum, part) => sum + part.length, 0);
  return line + text + (rawHeaders.length / 2) * ': \r\n'.length + '\r\n'.length;
}

export function checkHead(request: IncomingMessage): void {
  if (headerBytes(request) > HEADER_BYTES) throw new ApiError('headers_too_large');
  // RFC 9112, 3.2: a server responds 400 to a request of HTTP/1.1 without a host.
  if (request.httpVersion === '1.1' && request.headers.host === undefined)
    throw new ApiError('invalid_request');
}

/** The event as the function receives it: serialized to JSON and parsed. */
export function throughLambda(event: ApiEvent): ApiEvent {
  const json = JSON.stringify(event);
  if (Buffer.byteLength(json) > EVENT_BYTES) throw new ApiError('payload_too_large');
  return JSON.parse(json);
}

const isStatus = (status: unknown) =>
  Number.isInteger(status) && Number(status) >= 200 && Number(status) < 600;
const isText = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);

function isProxyResponse(response: unknown): response is Partial<ApiResult> & { statusCode: number } {
  if (typeof response !== 'object' || response === null) return false;
  const { statusCode, headers, body } = response as Partial<ApiResult>;
  return (
    isStatus(statusCode) && Object.values(headers ?? {}).every(isText) && typeof (body ?? '') === 'string'
  );
}

/** Throws where API Gateway responds with 5xx: for a response that is too large or not in the proxy format. */
export function checkResponse(response: unknown): ApiResult {
  if (!isProxyResponse(response)) throw new Error('The function returned no status, headers and body');
  const bytes = Buffer.byteLength(JSON.stringify(response));
  if (bytes > RESPONSE_BYTES)
    throw new Error(`The response has ${bytes} bytes, and Lambda returns at most ${RESPONSE_BYTES}`);
  return { ...response, headers: response.headers ?? {}, body: response.body ?? '' };
}

/** Work that takes longer continues, but its result is dropped, as in the cloud. */
export async function withinTime<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const error = new Error(`The function did not respond within ${milliseconds} ms`);
    timer = setTimeout(() => reject(error), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
