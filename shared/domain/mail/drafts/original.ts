import { constants, gunzipSync } from 'node:zlib';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import type { ParsedBody } from '#shared/domain/mail/mime/message.ts';
import { parseForAnswer } from '#shared/domain/mail/mime/parse.ts';
import { readBodies, type StoredBody } from '#shared/domain/mail/threads/body.ts';
import type { IdRow } from '#shared/domain/mail/threads/message-ids.ts';
import type { MessagePlace } from '#shared/domain/mail/threads/message-place.ts';
import { openMailboxes } from '#shared/domain/mail/threads/policy.ts';
import { type Message, mailboxesOf, type Thread } from '#shared/domain/mail/threads/thread.ts';
import { recordNotFound } from '#shared/errors.ts';
import { type Bucket, objectKeys } from '#shared/providers/files/bucket.ts';
import { keys } from '#shared/table/keys.ts';
import { writingMailbox } from './policy.ts';

/** The message that a draft answers or forwards, as its user sees it. */
export interface Original {
  message: Message;
  body: ParsedBody | undefined;
  reply_to: string[];
  /** Of the conversation up to it, without angle brackets, the oldest first. */
  references: string[];
}

/** Compressed bytes of a mail that are read for its header. */
const HEADER_BYTES = 64 * 1024;

interface Seen {
  message: Message;
  /** Missing of a message from before each mailbox had its own: then the mail itself says it. */
  reply_to: string[] | undefined;
}

/** What another mailbox got says nothing about where the caller answers: anybody may have written that copy. */
function repliesOf({ reply_to }: IdRow, user: User, mailbox_ids: string[]): string[] | undefined {
  const through = writingMailbox(user, mailbox_ids) ?? mailbox_ids.sort()[0];
  return reply_to && ((through && reply_to[through]) || []);
}

/** 404 for a message that the caller does not see. */
async function requireMessage({ table, caller }: CallerContext, id: string): Promise<Seen> {
  const { account, user } = caller;
  const place = await table.get<MessagePlace>(keys.messagePlace(id));
  if (place?.account_id !== account.id) throw recordNotFound();
  const row = await table.get<IdRow>(keys.messageId(account.id, place.id_hash, id));
  if (!row) throw recordNotFound();
  const [thread, message] = await Promise.all([
    table.get<Thread>(keys.record('threads', row.thread_id)),
    table.get<Message>(keys.message(row.thread_id, row.sent, id)),
  ]);
  const open = thread ? openMailboxes(user, thread) : new Set();
  const through = message ? [...mailboxesOf(message)].filter((mailbox) => open.has(mailbox)) : [];
  if (!message || through.length === 0) throw recordNotFound();
  return { message, reply_to: repliesOf(row, user, through) };
}

/** The beginning of the mail as it came; a header that goes further is cut. */
async function readHeader(bucket: Bucket, { account_id, id }: Message): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of bucket.read(objectKeys.rawMail(account_id, id), 0, HEADER_BYTES))
    pieces.push(piece);
  return gunzipSync(Buffer.concat(pieces), { finishFlush: constants.Z_SYNC_FLUSH });
}

async function bodyOf({ table }: CallerContext, bucket: Bucket, message: Message) {
  const { id, thread_id, account_id } = message;
  const item = await table.get<StoredBody>(keys.body(thread_id, id));
  return item && (await readBodies(() => bucket, account_id, [item])).get(id);
}

/** Ids as other programs accept them in a header. */
const isPlain = (rfc_id: string) => /^[!-~]+$/.test(rfc_id);

/** RFC 5322, 3.6.4: what the message refers to, or answers when that is one, then itself. */
function referencesOf(
  message: Message,
  { references, in_reply_to }: { references: string[]; in_reply_to: string[] },
): string[] {
  const before = references.length > 0 || in_reply_to.length !== 1 ? references : in_reply_to;
  return [...new Set([...before, message.rfc_id])].filter(isPlain);
}

/** 404 as in `requireMessage`. */
export async function readOriginal(ctx: CallerContext, bucket: Bucket, id: string): Promise<Original> {
  const { message, reply_to } = await requireMessage(ctx, id);
  const [header, body] = await Promise.all([
    readHeader(bucket, message).then(parseForAnswer),
    bodyOf(ctx, bucket, message),
  ]);
  return {
    ...{ message, body },
    reply_to: reply_to ?? header.reply_to.map(({ email_address }) => email_address),
    references: referencesOf(message, header),
  };
}
