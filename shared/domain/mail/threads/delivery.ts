import type { KnowsDependents } from '#shared/domain/collaboration/life/dependent.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import type { ParsedMessage } from '#shared/domain/mail/mime/message.ts';
import type { Bucket } from '#shared/providers/files/bucket.ts';
import type { Table } from '#shared/table/table.ts';
import type { Addresses } from './forest.ts';
import type { Members } from './refresh.ts';

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
}

export interface Ingestion {
  table: Table;
  bucket: Bucket;
  members: Members;
  now: () => Date;
  ports: KnowsDependents & SeesRecords;
}

/** The addresses of an account's mailboxes and users. */
export function addressesOfMembers({ users, mailboxes }: Members): Addresses {
  const of = new Map(
    mailboxes.map(({ id, email_address, aliases }) => [id, new Set([email_address, ...aliases])]),
  );
  const own = new Set([
    ...users.map((user) => user.email_address),
    ...[...of.values()].flatMap((each) => [...each]),
  ]);
  return { of, own };
}
