import { mapAtOnce } from '#shared/at-once.ts';
import type { IdRow } from '#shared/domain/mail/threads/message-ids.ts';
import type { Message } from '#shared/domain/mail/threads/thread.ts';
import { keys } from '#shared/table/keys.ts';
import { copiesOfMessage } from './copies.ts';
import { copyKey, copyOfSource, type MailCopy, nameOfCopy } from './copy.ts';
import type { Syncing } from './syncing.ts';

/**
 * Another copy of a message that is here already, as after a move, is first known with the marks of the message. What it says
 * otherwise is then a change at the server.
 */

const AT_ONCE = 16;

type Marks = Pick<MailCopy, 'seen' | 'flagged'>;

/**
 * Those that it was delivered with by a worker that died, or that were written since. Mail from archives keeps its marks,
 * whatever the server says.
 */
async function asDelivered({ ctx, mailbox }: Syncing, copy: MailCopy): Promise<Marks | undefined> {
  const { table } = ctx;
  const [id, id_hash] = [copy.message_id as string, copy.id_hash as string];
  const row = await table.get<IdRow>(keys.messageId(mailbox.account_id, id_hash, id));
  const place = row && copyOfSource(row.deliveries[mailbox.id] ?? '');
  if (!place) return undefined;
  const begun = await table.get<MailCopy>(copyKey(place));
  if (begun?.message_id === id) return { seen: begun.seen, flagged: begun.flagged };
  const message = await table.get<Message>(keys.message(row.thread_id, row.sent, id));
  const has = (noted: ReadonlySet<string> | undefined) => noted?.has(mailbox.id) === true;
  return message && { seen: has(message.read_in), flagged: has(message.starred_in) };
}

/** Of the other copies. */
async function marksBefore(sync: Syncing, copy: MailCopy, fresh: MailCopy[]): Promise<Marks | undefined> {
  const stored = await copiesOfMessage(sync.ctx.table, sync.mailbox.id, copy.message_id as string);
  const others = [...stored, ...fresh.filter(({ message_id }) => message_id === copy.message_id)];
  const known = others.filter((each) => nameOfCopy(each) !== nameOfCopy(copy));
  if (known.length === 0) return asDelivered(sync, copy);
  return { seen: known.some(({ seen }) => seen), flagged: known.some(({ flagged }) => flagged) };
}

/** `others` are the copies of messages that were here before. */
export async function withKnownMarks(
  sync: Syncing,
  copies: MailCopy[],
  others: ReadonlySet<MailCopy>,
): Promise<MailCopy[]> {
  const fresh = copies.filter((copy) => !others.has(copy));
  return mapAtOnce(copies, AT_ONCE, async (copy) =>
    others.has(copy) ? { ...copy, ...(await marksBefore(sync, copy, fresh)) } : copy,
  );
}
