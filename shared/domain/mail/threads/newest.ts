import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { openMailboxes, type Viewer } from './policy.ts';
import { presentMessage } from './present.ts';
import type { MessageRecord } from './schema.ts';
import { type Message, mailboxesOf, type Thread } from './thread.ts';

/** The newest messages of one response, and their bytes without bodies. */
const RESPONSE = { messages: 5_000, bytes: 20 * 1024 * 1024 };

export interface ShownMessage {
  message: Message;
  record: MessageRecord;
}

/**
 * The newest messages of a thread that the viewer sees, newest first, without their bodies. A mail may have thousands
 * of recipients and a thread any number of mails, so reading ends when the response is full.
 */
export async function newestMessages(
  table: Table,
  viewer: Viewer,
  thread: Thread,
  most: typeof RESPONSE = RESPONSE,
): Promise<ShownMessage[]> {
  const open = openMailboxes(viewer, thread);
  const { PK } = keys.record('threads', thread.id);
  const shown: ShownMessage[] = [];
  let left = most.bytes;
  for await (const page of table.pages<Message>(PK, 'MESSAGE#', { newest_first: true }))
    for (const message of page) {
      if (![...mailboxesOf(message)].some((id) => open.has(id))) continue;
      const record = presentMessage(message);
      left -= Buffer.byteLength(JSON.stringify(record));
      if (shown.length > 0 && (left < 0 || shown.length === most.messages)) return shown;
      shown.push({ message, record });
    }
  return shown;
}
