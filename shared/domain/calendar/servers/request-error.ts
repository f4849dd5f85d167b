import { type ApiError, invalidField } from '#shared/errors.ts';
import { providerFailed } from '#shared/provider-failed.ts';
import { NoCalendarServer, ServerRefused } from './server.ts';

/**
 * What a server's failure is to the request that named it: 400 on the field of its address when that leads nowhere, 502 for a
 * server that does not answer. Nothing it says is passed on.
 */
export function requestError(cause: unknown, field: string, leads: string): ApiError {
  if (cause instanceof NoCalendarServer || cause instanceof ServerRefused)
    return invalidField(field, 'invalid', leads);
  if ((cause as NodeJS.ErrnoException).code === 'ENOTFOUND')
    return invalidField(field, 'invalid', 'names a server that does not exist');
  return providerFailed(cause);
}
