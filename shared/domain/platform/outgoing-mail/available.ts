import type { Config } from '#shared/config.ts';
import { ApiError } from '#shared/errors.ts';

/** 422 when the service has no way to send mail: for everybody alike, and before anything is written. */
export function requireOutgoingMail({ mail }: Pick<Config, 'mail'>): void {
  if (mail.provider === 'none') throw new ApiError('mail_unavailable');
}
