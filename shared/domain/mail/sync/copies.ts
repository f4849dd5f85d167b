import { type Key, keyOf, keys } from '#shared/table/keys.ts';
import type { BatchWrite, Item, Table } from '#shared/table/table.ts';
import { copyKey, type MailCopy } from './copy.ts';
import type { MailFolder } from './folder.ts';

/** Copies as they are stored: by UID, by message, and those that failed in a list of the mailbox. */

const byMessage = ({ mailbox_id, message_id, folder_id, uidvalidity, uid }: MailCopy) =>
  keys.mailCopyOf(mailbox_id, message_id ?? '', folder_id, uidvalidity, uid);

const FAILURES = 'mail_failures';

function failurePosting({ mailbox_id, folder_id, uidvalidity, uid, failure }: MailCopy) {
  const rank = `${failure?.failed_at}#${folder_id}#${uidvalidity}#${uid}`;
  return { ...keys.posting(mailbox_id, FAILURES, rank), folder_id, uidvalidity, uid };
}

/** Of the items of a copy. */
export const keysOfCopy = (copy: MailCopy): Key[] => [
  copyKey(copy),
  ...(copy.message_id === null || copy.outcome === 'begun' ? [] : [byMessage(copy)]),
];

const writesOf = (copy: MailCopy): BatchWrite[] => [
  ...keysOfCopy(copy).map((key) => ({ put: { ...copy, ...key } })),
  ...(copy.failure ? [{ put: failurePosting(copy) }] : []),
];

const removalOf = (copy: MailCopy): BatchWrite[] => [
  ...keysOfCopy(copy).map((key) => ({ delete: key })),
  ...(copy.failure ? [{ delete: keyOfFailure(copy) }] : []),
];

const keyOfFailure = (copy: MailCopy) => keyOf(failurePosting(copy));

/** `before` are those that take the place of others. */
export function storeCopies(table: Table, copies: MailCopy[], before: MailCopy[] = []): Promise<void> {
  const ranks = new Set(copies.flatMap((copy) => (copy.failure ? keyOfFailure(copy).SK : [])));
  const old = before.filter(({ failure }) => failure).map(keyOfFailure);
  const resolved = old.filter(({ SK }) => !ranks.has(SK)).map((key) => ({ delete: key }));
  return table.writeMany([...resolved, ...copies.flatMap(writesOf)]);
}

export const removeCopies = (table: Table, copies: MailCopy[]): Promise<void> =>
  table.writeMany(copies.flatMap(removalOf));

/** The copies of these UIDs that are known. */
export async function copiesAt(
  table: Table,
  { id: folder_id, uidvalidity }: MailFolder,
  uids: number[],
): Promise<Map<number, MailCopy>> {
  const found = await table.getMany<MailCopy>(uids.map((uid) => copyKey({ folder_id, uidvalidity, uid })));
  return new Map(found.map((copy) => [copy.uid, copy]));
}

/** All copies in a folder, also those of an earlier UIDVALIDITY. */
export const copiesIn = (table: Table, folder_id: string): AsyncGenerator<MailCopy[]> =>
  table.pages<MailCopy>(keys.mailCopy(folder_id, '', 0).PK, 'COPY#');

/** The copies of a message in a mailbox. */
export const copiesOfMessage = (
  table: Table,
  mailbox_id: string,
  message_id: string,
): Promise<MailCopy[]> => {
  const { PK } = keys.mailCopyOf(mailbox_id, message_id, '', '', 0);
  return table.all<MailCopy>(PK, `MESSAGE#${message_id}#`);
};

/** The latest failures of a mailbox, newest first. */
export async function latestFailures(table: Table, mailbox_id: string, limit: number): Promise<MailCopy[]> {
  const { PK } = keys.posting(mailbox_id, FAILURES, '');
  const { items } = await table.query<Item & Pick<MailCopy, 'folder_id' | 'uidvalidity' | 'uid'>>({
    partition: PK,
    newest_first: true,
    limit,
  });
  const copies = await table.getMany<MailCopy>(items.map(copyKey));
  const failed = copies.filter(({ failure }) => failure);
  return failed.sort((a, b) => ((a.failure?.failed_at ?? '') < (b.failure?.failed_at ?? '') ? 1 : -1));
}
