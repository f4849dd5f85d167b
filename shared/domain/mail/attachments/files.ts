import { mapAtOnce } from '#shared/at-once.ts';
import type { RecordKinds } from '#shared/domain/collaboration/records/kind.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { messagePages } from '#shared/domain/mail/threads/messages.ts';
import type { Message, Thread } from '#shared/domain/mail/threads/thread.ts';
import { type CarriedFile, carryFiles } from '#shared/domain/work/files/carry.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';

/** Files of mail: they follow the messages that have them. */

const THREADS_AT_ONCE = 4;

/** The files of a thread's messages, with those of its attachments that have each. */
async function filesIn(table: Table, thread_id: string): Promise<CarriedFile[]> {
  const found = new Map<string, CarriedFile>();
  const add = ({ attachments, mailbox_ids = new Set() }: Message) => {
    for (const { id, file_id, file_name, content_type, size, decorative } of attachments) {
      const file = found.get(file_id) ?? { file_id, file_name, content_type, size, decorative, carriers: [] };
      file.carriers.push({ attachment_id: id, thread_id, mailbox_ids: [...mailbox_ids].sort() });
      found.set(file_id, file);
    }
  };
  // Nobody reads a message that no mailbox has.
  for await (const page of messagePages(table, thread_id))
    for (const message of page) if (message.mailbox_ids) add(message);
  return [...found.values()];
}

async function ownersOf(table: Table, account_id: string, files: CarriedFile[]) {
  const ids = files.flatMap(({ carriers }) => carriers.flatMap(({ mailbox_ids }) => mailbox_ids));
  const mailboxes = await table.getMany<Mailbox>(ids.map((id) => keys.mailbox(account_id, id)));
  return new Map(mailboxes.map(({ id, user_id }) => [id, user_id]));
}

/** The work of a request or a worker, with the kinds of the records that files are linked to. */
export interface Following {
  table: Table;
  now: Date;
  records: RecordKinds;
}

async function followThread({ table, now, records }: Following, id: string): Promise<void> {
  const thread = await table.get<Thread>(keys.record('threads', id));
  // The files of a merged thread follow with all else that belongs to it.
  if (!thread || thread.merged_into !== undefined) return;
  const { account_id } = thread;
  const files = await filesIn(table, id);
  const owners = await ownersOf(table, account_id, files);
  await carryFiles({ table, now, records }, { thread_id: id, account_id, files, owners });
}

/**
 * Brings the files of these threads to what their messages have, after mail arrived or moved. Safe to run at any time and
 * repeatedly: what is as it should be is not written.
 */
export async function followFiles(following: Following, thread_ids: string[]): Promise<void> {
  await mapAtOnce(thread_ids, THREADS_AT_ONCE, (id) => followThread(following, id));
}
