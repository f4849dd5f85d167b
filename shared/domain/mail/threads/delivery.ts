import type { KnowsDependents } from '#shared/domain/collaboration/life/dependent.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { hashOfId } from '#shared/domain/mail/mime/identity.ts';
import type { ParsedMessage } from '#shared/domain/mail/mime/message.ts';
import type { Bucket } from '#shared/providers/files/bucket.ts';
import type { Table, Write } from '#shared/table/table.ts';
import type { Addresses } from './forest.ts';
import type { Members } from './refresh.ts';
import type { Message } from './thread.ts';

/** An arriving message, and what is needed to thread it. */

export interface Delivery {
  account_id: string;
  mailbox: Mailbox;
  message: ParsedMessage;
  raw: Uint8Array;
  /** What delivers the message, for example an import and a position: the same source is the same delivery. */
  source: string;
  /** A digest of the bytes, to recognize them without reading the message. */
  digest?: string;
  /** Is written in the transaction that delivers the message. */
  noting?: (message: Pick<Message, 'id' | 'id_hash'>) => Write[];
}

export interface Ingestion {
  table: Table;
  bucket: Bucket;
  members: Members;
  now: () => Date;
  ports: KnowsDependents & SeesRecords;
}

/** The addresses of an account's mailboxes and users. */
export const addressesOfMembers = ({ users, mailboxes }: Members): Set<string> =>
  new Set([
    ...users.map(({ email_address }) => email_address),
    ...mailboxes.flatMap(({ email_address, aliases }) => [email_address, ...aliases]),
  ]);

/** The same as hashes, all of them and by mailbox: of purged messages nothing else is known. */
export const hashedAddresses = (members: Members): Addresses => ({
  of: new Map(
    members.mailboxes.map(({ id, email_address, aliases }) => [
      id,
      new Set([email_address, ...aliases].map(hashOfId)),
    ]),
  ),
  own: new Set([...addressesOfMembers(members)].map(hashOfId)),
});
