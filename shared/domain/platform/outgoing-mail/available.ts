import type { Config } from '#shared/config.ts';
import { ApiError } from '#shared/errors.ts';

/** Whether the service has a way to send mail. */
export const sendsMail = ({ mail }: Pick<Config, 'mail'>): boolean => mail.provider !== 'none';

/** 422 when the service has no way to send mail: for everybody alike, and before anything is written. */
export function requireOutgoingMail(config: Pick<Config, 'mail'>): void {
  if (!sendsMail(config)) throw new ApiError('mail_unavailable');
}
