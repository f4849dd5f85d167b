import type { User } from '#shared/domain/identity/users/user.ts';
import type { PendingDraft } from '#shared/domain/mail/drafts/pending.ts';
import { seesThread } from '#shared/domain/mail/threads/policy.ts';
import { openThreads, threads as threadSchemas } from '#shared/domain/mail/threads/schema.ts';
import { summaryFor } from '#shared/domain/mail/threads/summary.ts';
import type { Thread, ThreadEntry } from '#shared/domain/mail/threads/thread.ts';
import { keys } from '#shared/table/keys.ts';
import type { Change } from '#shared/table/stream.ts';
import { changedFields, sameNames } from './changed-fields.ts';
import type { LiveKind, News, Told } from './news.ts';

const people = ['participants', 'participant_list', 'participant_names', 'participant_email_addresses'];

/** An entry has what one user sees: what is hidden from the user changes none of this. */
const ofEntry = {
  ...sameNames(openThreads.fields),
  ...sameNames(threadSchemas.fields),
  unread: ['read'],
  last_message: ['last_message', 'messages'],
  message_count: ['message_count', 'messages'],
  participant_names: people,
};

/** Of the thread itself, only what every user who sees it sees. */
const ofThread = { tag_ids: ['tags'], shares: ['shares'] };

/** A summary is for those who read the same mailboxes. */
function changedFor(user: User, { before, after }: Change): string[] {
  const [old, next] = [before as Thread | undefined, after as Thread];
  const common = changedFields({ before, after }, ofThread);
  const [was, is] = [old && summaryFor(user, old), summaryFor(user, next)];
  return [
    ...common,
    ...(was?.headline === is?.headline ? [] : ['headline']),
    ...(was?.summary === is?.summary ? [] : ['summary']),
  ];
}

/** Threads as each user sees and keeps them. */
export const threadEntries: LiveKind = {
  partition: keys.threadEntry('', '').PK,
  sort: keys.threadEntry('', '').SK,
  news(change): News[] {
    const { user_id, thread_id } = (change.after ?? change.before) as ThreadEntry;
    const changed = changedFields(change, ofEntry);
    return [{ kind: 'own', type: 'thread.changed', about: { id: thread_id }, user_id, changed }];
  },
};

/** Mail that a user is sending in a thread. */
export const pendingMessages: LiveKind = {
  partition: keys.pendingDraft('', '').PK,
  sort: keys.pendingDraft('', '').SK,
  news({ key: { PK }, before, after }): News[] {
    const user_id = PK.split('#')[1] as string;
    const { thread_id: id } = (after ?? before) as PendingDraft;
    return [{ kind: 'own', type: 'thread.changed', about: { id }, user_id, changed: ['pending_messages'] }];
  },
};

/** What all users share of a thread. One that is new is announced by the entries. */
export const threads: LiveKind = {
  partition: keys.record('threads', '').PK,
  sort: keys.record('threads', '').SK,
  news(change): News[] {
    const thread = change.after as Thread | undefined;
    if (!thread || !change.before) return [];
    const told = ({ users }: { users: readonly User[] }): Told =>
      new Map(
        users.filter((user) => seesThread(user, thread)).map((user) => [user.id, changedFor(user, change)]),
      );
    const about = { id: thread.id };
    return [{ kind: 'shared', type: 'thread.changed', about, account: thread.account_id, told }];
  },
};
