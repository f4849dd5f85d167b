import { UniqueNames } from '#shared/domain/platform/names/unique.ts';
import { ApiError } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';

/** Mail that is read twice is in the account twice, so each address is connected once. */
export const mailboxAddresses = new UniqueNames(
  keys.mailboxAddress,
  () => new ApiError('mailbox_already_connected'),
);
