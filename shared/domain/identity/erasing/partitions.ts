import type { Key } from '#shared/table/keys.ts';
import type { Item } from '#shared/table/table.ts';

/** Whose the items of the table are. Keys and attributes that people write, such as addresses and texts, say nothing. */

export type Belonging =
  /** The key begins with the id of the account, or of a member: a user, a mailbox, a group or a stage of it. */
  | 'member'
  /** Each item names the account or a member. */
  | 'items'
  /** Some items name them, and the others are theirs as well. */
  | 'some_items'
  /** As `items`, but somebody else may have the key at any moment. */
  | 'handed_on'
  /** Found by what it hangs on (hanging.ts). */
  | 'hanging'
  /** Work of all accounts, found by what it is about (work.ts). */
  | 'work'
  /** What all else is found by, so it goes last (last.ts). */
  | 'last'
  /** Of the service, or about somebody without an account: it names none. */
  | 'nobody';

/** By what the keys of a partition begin with (shared/table/keys.ts). */
export const partitions: Record<string, Belonging> = {
  ACCOUNT: 'last',
  PIPELINES: 'last',
  CLOSED: 'last',
  ACQUAINTANCES: 'member',
  ACTIVITIES: 'member',
  AUDIT: 'member',
  CONVERSATIONS: 'member',
  GROUP: 'member',
  IDEMPOTENCY: 'member',
  LASTMAIL: 'member',
  LIST: 'member',
  MAILCOPIES: 'member',
  MAILFOLDERS: 'member',
  MEETING: 'member',
  NOTIFICATIONS: 'member',
  OWEDEVENTS: 'member',
  RATE: 'member',
  RECORDEXPORTS: 'member',
  RECORDIMPORTS: 'member',
  RFC: 'member',
  SESSIONS: 'member',
  SHAREREQUESTS: 'member',
  SOCKETS: 'member',
  STAGE: 'member',
  TERMS: 'member',
  TEXTS: 'member',
  USER: 'member',
  ATTACHMENT: 'items',
  CALENDARSERVER: 'items',
  CONVERSATION: 'items',
  KEY: 'items',
  MAILFOLDER: 'items',
  MESSAGE: 'items',
  PROPOSAL: 'items',
  SHAREREQUEST: 'items',
  SOCKETPLACES: 'items',
  SOCKETTICKET: 'items',
  UPLOAD: 'items',
  IMPORT: 'some_items',
  RECORD: 'some_items',
  DEVICE: 'handed_on',
  IDENTITY: 'handed_on',
  LOGIN: 'handed_on',
  COMMENT: 'hanging',
  LOOKS: 'hanging',
  MERGE: 'hanging',
  OWNER: 'hanging',
  RECORDIMPORT: 'hanging',
  REMINDED: 'hanging',
  DUE: 'work',
  JOBS: 'work',
  AUTHORIZATION: 'nobody',
  CODE: 'nobody',
  ERASED: 'nobody',
  SIGNUP: 'nobody',
  TABLE: 'nobody',
  WAITLIST: 'nobody',
};

/** What is read of an item to tell whose it is, and what hangs on it. */
export type Erasable = Item & {
  account_id?: string;
  user_id?: string;
  /** Of the lists that have a record. */
  owner?: string;
  id?: string;
  /** Of an import of records: how often it ran. */
  run?: number;
};

export const readAttributes = ['account_id', 'user_id', 'owner', 'id', 'run'] as const;

/** The accounts that are erased, their users, mailboxes, groups and stages. Accounts share no ids. */
export type Owned = ReadonlySet<string>;

export const partsOf = ({ PK }: Pick<Key, 'PK'>): string[] => PK.split('#');

export const belongingOf = (key: Pick<Key, 'PK'>): Belonging =>
  partitions[partsOf(key)[0] as string] ?? 'items';

const names = (owned: Owned, { account_id, user_id, owner }: Erasable): boolean =>
  [account_id, user_id, owner].some((id) => id !== undefined && owned.has(id));

/** Whether the item itself says that it is of one of the accounts. */
export function isOf(owned: Owned, item: Erasable): boolean {
  const belonging = belongingOf(item);
  if (belonging === 'member') return owned.has(partsOf(item)[1] as string);
  return (
    (belonging === 'items' || belonging === 'some_items' || belonging === 'handed_on') && names(owned, item)
  );
}
