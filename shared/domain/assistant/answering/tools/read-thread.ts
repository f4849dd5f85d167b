import { ownAddresses } from '#shared/domain/mail/threads/entry.ts';
import { readWholeThread } from '#shared/domain/mail/threads/retrieve.ts';
import type { MessageRecord, ThreadRecord } from '#shared/domain/mail/threads/schema.ts';
import { readOwnMailboxes } from '#shared/domain/mail/threads/sharing.ts';
import { visibleBody, visibleText } from '#shared/domain/platform/html/visible.ts';
import type { MessageView, ThreadView } from '../views.ts';
import { commentViews, shorten } from './comments.ts';
import { give, type ToolContext } from './context.ts';
import { person } from './people.ts';
import { givePeople, threadRow } from './thread-rows.ts';

/** Messages with their text, and characters of each. */
const MESSAGES = 8;
const CHARACTERS = 3_000;
/** Older messages of which only the beginning is given. */
const EARLIER = 30;
const BEGINNING = 160;
/** More of the message that began the thread, because it says what the thread is about. */
const OPENING = 1_000;
const RECIPIENTS = 10;

function messageView(thread: ThreadRecord, message: MessageRecord, own: ReadonlySet<string>): MessageView {
  const { from_email_address: from, to_email_addresses: to, cc_email_addresses: cc } = message;
  const text = visibleBody(message.body);
  return {
    id: message.id,
    sent_at: message.sent_at ?? '',
    from: from === null ? null : person(thread.participants, from),
    to: [...to, ...cc].slice(0, RECIPIENTS).map((address) => person(thread.participants, address)),
    own: from !== null && own.has(from),
    text: shorten(text, CHARACTERS),
    shortened: text.length > CHARACTERS || message.body?.truncated === true,
    attachments: (message.attachments ?? [])
      .filter(({ inline, decorative }) => !inline && !decorative)
      .map(({ file }) => file?.file_name ?? 'unnamed file'),
  };
}

function earlierView(thread: ThreadRecord, message: MessageRecord) {
  const { sent_at, from_email_address, snippet } = message;
  const opening = message === thread.messages?.[0] ? visibleBody(message.body) : '';
  const sender = from_email_address === null ? null : person(thread.participants, from_email_address);
  return {
    sent_at: sent_at ?? '',
    from: sender?.name ?? sender?.email_address ?? 'unknown',
    snippet: opening
      ? shorten(opening, OPENING)
      : snippet === null
        ? null
        : shorten(visibleText(snippet), BEGINNING),
  };
}

/** 404 for a thread that the user does not see. Of a long thread the newest messages are given in full. */
export async function readThread(ctx: ToolContext, id: string): Promise<ThreadView> {
  const { table, caller } = ctx;
  const [{ record: thread, automatic }, mailboxes] = await Promise.all([
    readWholeThread(ctx, id),
    readOwnMailboxes(table, caller),
  ]);
  const own = ownAddresses(
    caller.user,
    mailboxes.filter(({ user_id }) => user_id === caller.user.id),
  );
  give(ctx, 'thread', [thread.id]);
  givePeople(ctx, thread.participants);
  const messages = thread.messages ?? [];
  const told = messages.slice(-MESSAGES);
  const older = messages.slice(0, -MESSAGES);
  const wrote = messages.some(({ from_email_address: from }) => from !== null && own.has(from));
  return {
    ...threadRow(thread, { awaiting: !wrote, automatic }),
    type: 'thread',
    snooze_until: thread.snooze_until,
    messages: told.map((message) => messageView(thread, message, own)),
    earlier: older.slice(-EARLIER).map((message) => earlierView(thread, message)),
    left_out: Math.max(0, older.length - EARLIER),
    comments: await commentViews(ctx, thread.comments ?? []),
  };
}
