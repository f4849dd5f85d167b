import {
  LoginFailed,
  LoginRefused,
  MessageRefused,
  MessageTooLarge,
  RecipientsRefused,
  ServerUnreachable,
  Throttled,
} from '#shared/domain/mail/servers/failures.ts';
import { TryLater } from '#shared/queues/try-later.ts';
import type { SmtpFailure } from './smtp-connection.ts';

/** What replies of SMTP mean (RFC 5321, 4.2; RFC 3463). What a server says is never passed on. */

/** Seconds. */
const SOON = 60;
const THROTTLED = 300;

const enhanced = ({ response = '' }: SmtpFailure) =>
  /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1] ?? '';

const shown = (failure: SmtpFailure) =>
  `The server answers ${[failure.responseCode, enhanced(failure)].filter(Boolean).join(' ')}`;

const throttles = (failure: SmtpFailure) =>
  failure.responseCode === 421 || enhanced(failure).startsWith('4.7.');

function temporary(failure: SmtpFailure): TryLater | undefined {
  const { responseCode = 0 } = failure;
  if (responseCode < 400 || responseCode > 499) return undefined;
  return throttles(failure) ? new Throttled(shown(failure), THROTTLED) : new TryLater(shown(failure), SOON);
}

/** Before the service is signed in. */
export function failureToOpen(error: unknown): Error {
  const failure = error as SmtpFailure;
  const { code, responseCode } = failure;
  if (!responseCode) return new ServerUnreachable('The SMTP server cannot be reached');
  const wait = temporary(failure);
  if (wait) return wait;
  if (responseCode === 535) return new LoginRefused('The SMTP server refuses the login');
  return code === 'EAUTH'
    ? new LoginFailed(shown(failure), SOON)
    : new ServerUnreachable('The SMTP server does not serve');
}

/** A mailbox that is full may have room later; 552 for a recipient is 452 (RFC 5321, 4.5.3.1.10). */
const isPermanent = ({ responseCode = 0 }: SmtpFailure) => responseCode >= 500 && responseCode !== 552;

function ofRecipients({ refused = [] }: SmtpFailure): Error {
  const wait = refused.find(throttles);
  if (wait) return new Throttled(shown(wait), THROTTLED);
  const final = refused.filter(isPermanent);
  const named = final.length > 0 ? final : refused;
  return new RecipientsRefused(
    named.flatMap(({ recipient }) => recipient ?? []),
    final.length > 0,
  );
}

const isTooLarge = (failure: SmtpFailure) =>
  failure.responseCode === 552 || ['5.3.4', '5.2.3'].includes(enhanced(failure));

/** Of a message; nobody has it. */
export function failureToSend(error: unknown): Error {
  const failure = error as SmtpFailure;
  if (failure.refused) return ofRecipients(failure);
  const { code, responseCode, command } = failure;
  const wait = temporary(failure);
  if (wait) return wait;
  // nodemailer compares sizes itself.
  if (isTooLarge(failure) || (code === 'EMESSAGE' && command === 'MAIL FROM'))
    return new MessageTooLarge('The server takes no message of this size');
  if (responseCode) return new MessageRefused(shown(failure));
  if (code === 'EENVELOPE') return new MessageRefused('An address cannot be sent to a server');
  return new ServerUnreachable('The connection to the SMTP server is lost');
}
