import { isWellFormedSecret } from '#shared/domain/identity/credentials/secret.ts';
import { ApiError } from '#shared/errors.ts';
import { type ApiEvent, headerValues } from './call.ts';

/** Reads the credential of a request (RFC 6750, 2.1), and says what is wrong with the way it was sent. */

const SEND = 'Send it as the header "Authorization: Bearer <key>".';

export function unauthorized(message: string): ApiError {
  return new ApiError('unauthorized', { message });
}

/** Where other APIs expect keys. */
const OTHER_HEADERS = ['x-api-key', 'api-key', 'x-auth-token', 'x-access-token'];
const PARAMETERS = ['api_key', 'apikey', 'key', 'access_token', 'token'];

function withoutHeader(event: ApiEvent): ApiError {
  const header = OTHER_HEADERS.find((name) => headerValues(event, name).length > 0);
  if (header) return unauthorized(`A key in the header ${header} is not read. ${SEND}`);
  const parameter = PARAMETERS.find((name) => event.queryStringParameters?.[name] !== undefined);
  if (parameter)
    return unauthorized(
      `A key in the query (${parameter}) is not read, and ends up in logs: revoke it. ${SEND}`,
    );
  return unauthorized('The request has no key. Send one as the header "Authorization: Bearer <key>".');
}

/** The text of a well-formed credential. Throws 401. */
export function bearerSecret(event: ApiEvent): string {
  const sent = headerValues(event, 'authorization');
  if (sent.length === 0) throw withoutHeader(event);
  if (sent.length > 1) throw unauthorized('The Authorization header was sent more than once.');
  const [, scheme = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec((sent[0] as string).trimEnd()) ?? [];
  if (scheme.toLowerCase() === 'bearer' && isWellFormedSecret(rest)) return rest;
  throw unauthorized(misspelt(scheme, rest));
}

function misspelt(scheme: string, rest: string): string {
  if (isWellFormedSecret(scheme))
    return 'The word Bearer is missing before the key: "Authorization: Bearer <key>".';
  if (scheme.toLowerCase() !== 'bearer')
    return `The scheme of the Authorization header must be Bearer. ${SEND}`;
  if (rest === '') return 'The Authorization header has no key after Bearer.';
  if (/^["'<].*["'>]$/.test(rest))
    return 'The key stands in quotation marks or angle brackets: send it without.';
  return 'The key is not complete, or has characters too many: copy all of it, from wsk_ to its end.';
}
