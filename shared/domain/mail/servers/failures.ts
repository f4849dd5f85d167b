import { TryLater } from '#shared/queues/try-later.ts';

/** What a mail server may answer, whatever its protocol. Any other error means that a retry may succeed, as does TryLater. */

/** The server knows the account, and refuses its password or token: [AUTHENTICATIONFAILED], [EXPIRED], 535. */
export class LoginRefused extends Error {
  override name = 'LoginRefused';
}

/** Nobody lets the service in any more: the provider takes neither the code nor the token that somebody's consent gave. */
export class ConsentRefused extends LoginRefused {
  override name = 'ConsentRefused';
}

/** The server lets nobody in, and does not say that it is for the password: people read it as a refusal, no lock counts it. */
export class LoginFailed extends TryLater {
  override name = 'LoginFailed';
}

/** The server takes nothing of the mailbox now: too many connections or messages (421, 4.7.x). */
export class Throttled extends TryLater {
  override name = 'Throttled';
}

/** The address leads to no server that the service may talk to: no such host, a private address, a port that is not mail's. */
export class HostRefused extends Error {
  override name = 'HostRefused';
}

/** There is no connection, or no TLS that can be trusted. */
export class ServerUnreachable extends Error {
  override name = 'ServerUnreachable';
}

/** The folder is gone, or has other UIDs than those that were asked for. */
export class FolderChanged extends Error {
  override name = 'FolderChanged';
}

/** No message was accepted, since the server does not accept these recipients. */
export class RecipientsRefused extends Error {
  override name = 'RecipientsRefused';
  readonly addresses: readonly string[];
  /** Another try is useless. */
  readonly permanent: boolean;

  constructor(addresses: readonly string[], permanent: boolean) {
    super('Recipients were refused');
    this.addresses = addresses;
    this.permanent = permanent;
  }
}

/** Larger than the server accepts (SIZE, 552, 5.3.4). */
export class MessageTooLarge extends Error {
  override name = 'MessageTooLarge';
}

/** The server refuses this message for good. */
export class MessageRefused extends Error {
  override name = 'MessageRefused';
}

/** The connection ended after the last line of the message: it may or may not be delivered (RFC 1047). */
export class DeliveryUnknown extends Error {
  override name = 'DeliveryUnknown';
}
