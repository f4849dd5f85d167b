import type { Bucket } from '../../providers/files/bucket.ts';
import type { Table } from '../../table/table.ts';
import type { ParsedMessage } from '../mail/message.ts';
import type { Mailbox } from '../mailboxes/mailbox.ts';
import type { Members } from './refresh.ts';

/** What arrives, and what putting it into a thread needs. */

export interface Delivery {
  account_id: string;
  mailbox: Mailbox;
  message: ParsedMessage;
  raw: Uint8Array;
  /** What brings the message, for example an import and its place in it: the same again is the same delivery. */
  source: string;
}

export interface Ingestion {
  table: Table;
  bucket: Bucket;
  members: Members;
  /** Of the account's users and mailboxes. */
  own_addresses: Set<string>;
  now: () => Date;
}
