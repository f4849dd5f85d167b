import {
  FolderChanged,
  LoginFailed,
  LoginRefused,
  ServerUnreachable,
} from '#shared/domain/mail/servers/failures.ts';
import { TryLater } from '#shared/queues/try-later.ts';

/** What failures of imapflow mean (https://imapflow.com/docs/guides/errors). What a server says is never passed on. */

export interface ImapFailure {
  code?: string;
  responseStatus?: string;
  serverResponseCode?: string;
  mailboxMissing?: boolean;
  authenticationFailed?: boolean;
  throttleReset?: number;
  /** What the server said with BYE. */
  reason?: string;
}

/** Response codes of RFC 5530 and RFC 3501. */
const LATER = ['UNAVAILABLE', 'LIMIT', 'INUSE', 'ALERT', 'SERVERBUG', 'OVERQUOTA'];
const GONE = ['NONEXISTENT', 'TRYCREATE'];
const REFUSED = ['AUTHENTICATIONFAILED', 'EXPIRED'];

/** Seconds. */
const SOON = 60;

const shown = ({ responseStatus = 'NO', serverResponseCode: code = '' }: ImapFailure) =>
  `The server answers ${responseStatus}${/^[A-Z0-9-]{1,30}$/.test(code) ? ` [${code}]` : ''}`;

const codeOf = ({ serverResponseCode = '' }: ImapFailure) => serverResponseCode.toUpperCase();

function later(failure: ImapFailure): TryLater | undefined {
  if (failure.code === 'ETHROTTLE')
    return new TryLater('The server asks to wait', Math.ceil((failure.throttleReset ?? 0) / 1_000) || SOON);
  if (LATER.includes(codeOf(failure))) return new TryLater(shown(failure), SOON);
  return failure.reason === undefined ? undefined : new TryLater('The server ends the session', SOON);
}

/** Before the service is signed in. */
export function failureToOpen(error: unknown): Error {
  const failure = error as ImapFailure;
  const wait = later(failure);
  if (wait) return wait;
  if (!failure.responseStatus) return new ServerUnreachable('The IMAP server cannot be reached');
  if (!failure.authenticationFailed) return new TryLater(shown(failure), SOON);
  if (REFUSED.includes(codeOf(failure))) return new LoginRefused('The IMAP server refuses the login');
  return new LoginFailed(shown(failure), SOON);
}

/** What the server answers cannot be. */
export class BadAnswer extends Error {
  override name = 'BadAnswer';
}

/** Of a command. */
export function failureOf(error: unknown): Error {
  const failure = error as ImapFailure;
  if (error instanceof Error && failure.code === undefined && failure.responseStatus === undefined)
    return error;
  if (failure.mailboxMissing || failure.code === 'NotFound' || GONE.includes(codeOf(failure)))
    return new FolderChanged('The folder is gone');
  const wait = later(failure);
  if (wait) return wait;
  if (failure.responseStatus) return new Error(shown(failure));
  const { code = '' } = failure;
  if (code.startsWith('Parser') || code.endsWith('TooLarge'))
    return new BadAnswer(`The answer of the server cannot be read: ${code}`);
  return new ServerUnreachable('The connection to the IMAP server is lost');
}
