import {
  HostRefused,
  LoginFailed,
  LoginRefused,
  MessageRefused,
  MessageTooLarge,
  RecipientsRefused,
  ServerUnreachable,
} from '#shared/domain/mail/servers/failures.ts';
import { TryLater } from '#shared/queues/try-later.ts';
import type { SendFailure } from '../draft.ts';

/** Why a draft was not sent, as people read it. Nothing that a server says is passed on. */

export interface Failed {
  failure: SendFailure;
  /** Another try is useless. */
  final: boolean;
}

const NAMED = 5;

function refused({ addresses, permanent }: RecipientsRefused): Failed {
  const named = addresses.slice(0, NAMED).join(', ');
  const more = addresses.length > NAMED ? ` and ${addresses.length - NAMED} more` : '';
  const message = `The server does not accept ${named}${more}. Nobody has got the mail.`;
  return { failure: { code: 'recipient_refused', message }, final: permanent };
}

const of = (code: SendFailure['code'], message: string, final = false): Failed => ({
  failure: { code, message },
  final,
});

/** After the mail may have been delivered. */
export const unknownDelivery: SendFailure = {
  code: 'provider_failed',
  message:
    'The server did not say whether it has the mail, and it is not in the folder of sent mail. Ask a recipient before you send it again.',
};

export const cannotSend = (message: string): Failed => of('provider_failed', message, true);

/** For example, because the bytes of an attachment cannot be read. */
export const notMade = of('provider_failed', 'The mail could not be given to the server.');

/** Undefined for what says nothing of whether the mail was accepted. */
export function knownFailure(error: unknown): Failed | undefined {
  if (error instanceof RecipientsRefused) return refused(error);
  if (error instanceof MessageTooLarge)
    return of('message_too_large', 'The mail is larger than the server accepts.', true);
  if (error instanceof MessageRefused) return of('provider_failed', 'The server refuses the mail.', true);
  if (error instanceof LoginRefused)
    return of('authentication_failed', 'The server refuses the credentials of the mailbox.', true);
  if (error instanceof LoginFailed)
    return of('authentication_failed', 'The server does not let the mailbox in now.');
  if (error instanceof TryLater)
    return of('provider_rate_limited', 'The server takes no mail of the mailbox now.');
  if (error instanceof HostRefused || error instanceof ServerUnreachable)
    return of('connection_failed', 'The server of the mailbox cannot be reached.');
  return undefined;
}
