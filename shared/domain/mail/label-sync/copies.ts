import { mapAtOnce } from '#shared/at-once.ts';
import { copiesOfMessage, keysOfCopy } from '#shared/domain/mail/sync/copies.ts';
import type { MailCopy } from '#shared/domain/mail/sync/copy.ts';
import {
  asRead,
  ConditionFailed,
  mustExist,
  present,
  type Table,
  update,
  when,
} from '#shared/table/table.ts';

/** The copies of messages as the service knows them. */

const AT_ONCE = 16;

/** By message; messages without any copy have no entry. */
export async function copiesOfMessages(
  table: Table,
  mailbox_id: string,
  message_ids: string[],
): Promise<Map<string, MailCopy[]>> {
  const all = await mapAtOnce(message_ids, AT_ONCE, (id) => copiesOfMessage(table, mailbox_id, id));
  return Map.groupBy(all.flat(), ({ message_id }) => message_id as string);
}

export type Marks = Pick<MailCopy, 'seen' | 'flagged'>;

/** What the server has from now on; nothing for a copy that was forgotten, or of which something else was noted since. */
async function note(table: Table, copy: MailCopy, marks: Partial<Marks>, unchanged: boolean): Promise<void> {
  const as = unchanged ? when<MailCopy>({ PK: present, noted: asRead(copy.noted) }) : mustExist;
  const noting = { set: marks, add: { noted: 1 }, when: as };
  try {
    await table.transact(keysOfCopy(copy).map((key) => update<MailCopy>(key, noting)));
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}

/** `unchanged`: only where nothing else was noted since the copies were read. */
export async function noteMarks(
  table: Table,
  noted: { copy: MailCopy; marks: Partial<Marks> }[],
  { unchanged = false } = {},
): Promise<void> {
  await mapAtOnce(noted, AT_ONCE, ({ copy, marks }) => note(table, copy, marks, unchanged));
}
