import type { User } from '#shared/domain/identity/users/user.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { deriveEntry, nextEntry } from '#shared/domain/mail/threads/entry.ts';
import { deriveView } from '#shared/domain/mail/threads/mailbox-views.ts';
import {
  type EntryState,
  type MailboxView,
  type Message,
  mailboxesOf,
  type Thread,
  type ThreadEntry,
} from '#shared/domain/mail/threads/thread.ts';
import { idFrom } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { type Chosen, choose, PAGE, type TagName, tagNames } from './chosen.ts';
import { messagesOf, peopleOf } from './mail.ts';
import { type Random, randomOf } from './random.ts';

/**
 * The threads of one user, the same in every run. Each list has its share of all threads, but at least a page, so
 * that it gives the same number of rows with few and with many threads.
 */

export interface Rows {
  count: number;
  user: User;
  /** The user's own two, then a colleague's. */
  mailboxes: [Mailbox, Mailbox, Mailbox];
  group_id: string;
  tags: Record<TagName, string>;
  /** Milliseconds: nothing was sent later. */
  now: number;
  /** Words of a subject and of a snippet. */
  words?: { subject: number; snippet: number };
}

export interface Generated {
  thread: Thread;
  messages: Message[];
  views: MailboxView[];
  entry: ThreadEntry;
}

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const SPREAD = 3 * 365 * DAY;

/** The first ones today, all others evenly over three years, newest first. */
function sentTimes(random: Random, count: number, now: number): number[] {
  const today = now - (now % DAY);
  const times = Array.from({ length: count }, (_, number) =>
    number < PAGE ? now - random() * (now - today - MINUTE) : today - random() * SPREAD,
  );
  return times.map(Math.floor).sort((a, b) => b - a);
}

function share(rows: Rows, thread_id: string, target: { user_id?: string; group_id?: string }) {
  const [, , theirs] = rows.mailboxes;
  const id = idFrom('bench share', thread_id, target.user_id ?? target.group_id ?? '');
  const created_at = new Date(rows.now).toISOString();
  const common = { id, access: 'view' as const, shared_by_user_id: theirs.user_id, created_at };
  return { ...common, user_id: null, group_id: null, ...target, mailbox_ids: [theirs.id] };
}

function threadOf(rows: Rows, number: number, chosen: Chosen): Thread {
  const id = idFrom('bench thread', rows.user.id, String(number));
  const [primary, second, theirs] = rows.mailboxes;
  const shares = [
    ...(chosen.shared.has(number) ? [share(rows, id, { user_id: rows.user.id })] : []),
    ...(chosen.group.has(number) ? [share(rows, id, { group_id: rows.group_id })] : []),
  ];
  const through = [
    ...(chosen.primary.has(number) ? [primary] : []),
    ...(chosen.second.has(number) ? [second] : []),
    ...(shares.length > 0 ? [theirs] : []),
  ];
  const mailboxes = through.length > 0 ? through : [primary];
  const tag_ids = tagNames.filter((name) => chosen.tags[name].has(number)).map((name) => rows.tags[name]);
  return {
    ...keys.record('threads', id),
    id,
    account_id: rows.user.account_id,
    version: 1,
    mailbox_ids: new Set(mailboxes.map((mailbox) => mailbox.id)),
    owner_ids: new Set(mailboxes.map((mailbox) => mailbox.user_id)),
    ...(tag_ids.length > 0 ? { tag_ids: new Set(tag_ids) } : {}),
    shares: Object.fromEntries(shares.map((each) => [each.id, each])),
  };
}

/** Snoozed for some days; or until a moment within the last two hours, so that its place is still in the list. */
function snoozeOf(random: Random, number: number, chosen: Chosen, now: number): EntryState {
  const running = chosen.snoozed.has(number);
  if (!running && !chosen.snooze_ended.has(number)) return {};
  const until = Math.floor(now + (running ? (1 + random() * 30) * DAY : -random() * 120 * MINUTE));
  return { snooze_until: new Date(until).toISOString(), snoozed_until: until };
}

function stateOf(random: Random, number: number, chosen: Chosen, now: number): EntryState {
  return {
    ...(chosen.unread.has(number) ? { unread: 1 } : {}),
    ...(chosen.flagged.has(number) ? { flagged: 1 } : {}),
    ...(chosen.unresolved.has(number) ? {} : { resolved: true }),
    ...snoozeOf(random, number, chosen, now),
  };
}

/** Newest first. */
export function* generate(rows: Rows): Generator<Generated> {
  const random = randomOf(1);
  const chosen = choose(random, rows.count);
  const user = { ...rows.user, group_ids: new Set([rows.group_id]) };
  for (const [number, sent] of sentTimes(random, rows.count, rows.now).entries()) {
    const people = peopleOf(random, number, chosen);
    const thread = threadOf(rows, number, chosen);
    const messages = messagesOf(random, rows, number, chosen, { thread, people, sent });
    const values = deriveEntry(thread, user, rows.mailboxes, messages);
    if (!values) throw new Error('A generated thread is hidden from its user');
    yield {
      thread,
      messages,
      views: [...mailboxesOf(thread)].flatMap((id) => {
        const view = deriveView(thread, id, messages);
        return view ? [{ ...view, revision: 1 } as MailboxView] : [];
      }),
      entry: nextEntry(undefined, values, stateOf(random, number, chosen, rows.now)),
    };
  }
}
