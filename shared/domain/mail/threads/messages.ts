import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import type { Message, StoredAttachment } from './thread.ts';

/**
 * The messages of a thread, of which there may be thousands with 150 kB of recipients and as much of attachments: nothing
 * holds all of that at once.
 */

/** Recipients and attachments of the newest messages that are held whole: some 5 MB. */
const HELD = 20_000;
/** Those that are held of each older message. */
const FIRST = 25;

/** Whole, oldest first: as many at once as one read gives, 1 MB. */
export const messagePages = (table: Table, thread: string): AsyncGenerator<Message[]> =>
  table.pages<Message>(keys.record('threads', thread).PK, 'MESSAGE#');

const weightOf = ({ to, cc, bcc, attachments }: Message) =>
  to.length + cc.length + bcc.length + attachments.length;

/** Not an image of the text. */
export const isFile = ({ inline, decorative }: StoredAttachment) => !inline && !decorative;

/** Files before images: they decide whether a thread has any. */
function withFirst(message: Message): Message {
  const { to, cc, bcc, attachments } = message;
  const omitted = [to, cc, bcc].reduce((sum, { length }) => sum + Math.max(0, length - FIRST), 0);
  return {
    ...message,
    ...{ to: to.slice(0, FIRST), cc: cc.slice(0, FIRST), bcc: bcc.slice(0, FIRST) },
    ...(omitted > 0 ? { recipients_omitted: (message.recipients_omitted ?? 0) + omitted } : {}),
    attachments: attachments.toSorted((a, b) => Number(isFile(b)) - Number(isFile(a))).slice(0, FIRST),
  };
}

/**
 * Oldest first; `most` of them, or a few more. In a thread with very many recipients and attachments, only the newest
 * messages have all of theirs: what is stored again is read by `messagePages`.
 */
export async function messagesOf(
  table: Table,
  thread: string,
  most = Number.POSITIVE_INFINITY,
): Promise<Message[]> {
  const found: Message[] = [];
  let [held, whole_from] = [0, 0];
  for await (const page of messagePages(table, thread)) {
    for (const message of page) held += weightOf(message);
    found.push(...page);
    for (; held > HELD && whole_from < found.length; whole_from++) {
      const message = found[whole_from] as Message;
      held -= weightOf(message);
      found[whole_from] = withFirst(message);
    }
    if (found.length >= most) break;
  }
  return found;
}
