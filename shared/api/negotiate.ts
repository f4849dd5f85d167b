import { ApiError } from '#shared/errors.ts';
import { type ApiEvent, headerValues } from './call.ts';

/** Checks 3, 7 and 8 (docs/specification/requests.md, "Order of checks"). */

/** Bytes of a request body, as sent. */
const MAX_BODY_BYTES = 5 * 1024 * 1024;

export function limitBody(event: ApiEvent): void {
  if (event.body === null || event.body === undefined) return;
  const bytes = Buffer.byteLength(event.body, event.isBase64Encoded ? 'base64' : 'utf8');
  if (bytes > MAX_BODY_BYTES) throw new ApiError('payload_too_large');
}

/**
 * The weight that one range of an Accept header gives to a type (RFC 9110, 12.5.1); undefined when it does not match.
 */
function weightOf(range: string, type: string): { specific: number; q: number } | undefined {
  const [media = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  const [main] = type.split('/');
  const specific = ['*/*', `${main}/*`, type].indexOf(media);
  if (specific < 0) return undefined;
  const q = parameters.find((parameter) => parameter.startsWith('q='));
  const weight = q === undefined ? 1 : Number(q.slice(2));
  return { specific, q: Number.isNaN(weight) ? 0 : weight };
}

/** The most specific matching range decides. */
function accepts(header: string, type: string): boolean {
  if (header === type || header === '*/*') return true;
  const weights = header.split(',').flatMap((range) => weightOf(range, type) ?? []);
  const best = weights.sort((a, b) => b.specific - a.specific)[0];
  return best !== undefined && best.q > 0;
}

export function checkAccept(event: ApiEvent, type: string): void {
  const sent = headerValues(event, 'accept').join(',').trim();
  if (sent !== '' && !accepts(sent, type)) throw new ApiError('not_acceptable');
}

/** `application/json` with any parameters, or a type with the `+json` suffix (RFC 6839, 3.1). */
const JSON_TYPE = /^application\/(json|[\w.+-]+\+json)\s*(;.*)?$/i;

export function checkContentType(event: ApiEvent): void {
  if (event.body === null || event.body === undefined || event.body === '') return;
  const sent = headerValues(event, 'content-type');
  if (sent.length !== 1 || !JSON_TYPE.test((sent[0] as string).trim()))
    throw new ApiError('unsupported_media_type');
}

/** The body as text. 400 for bytes that are not UTF-8. */
export function bodyText(event: ApiEvent): string | null {
  if (event.body === null || event.body === undefined) return null;
  if (!event.isBase64Encoded) return event.body;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(event.body, 'base64'));
  } catch {
    throw new ApiError('invalid_request', { message: 'The body is not UTF-8.' });
  }
}

/** Whether `Accept-Encoding` names gzip, with a weight above 0 (RFC 9110, 12.5.3). */
export function acceptsGzip(event: ApiEvent): boolean {
  const codings = headerValues(event, 'accept-encoding').join(',').toLowerCase().split(',');
  return codings.some((coding) => {
    const [name, ...parameters] = coding.split(';').map((part) => part.trim());
    return name === 'gzip' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}
