import { primaryOf } from '#shared/domain/identity/users/primary.ts';
import { findUsers } from '#shared/domain/identity/users/store.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { ApiError } from '#shared/errors.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { at, mustNotExist, type Table, update, type Write } from '#shared/table/table.ts';
import type { Mailbox } from './mailbox.ts';

export type MailboxDraft = Pick<Mailbox, 'account_id' | 'user_id' | 'email_address' | 'name'> &
  Partial<Pick<Mailbox, 'id' | 'aliases' | 'label_sync' | 'contact_creation'>>;

/** Not stored yet. */
export function newMailbox(draft: MailboxDraft, now: Date): Mailbox {
  const id = draft.id ?? newId(now);
  return {
    ...keys.mailbox(draft.account_id, id),
    aliases: [],
    label_sync: false,
    shares: {},
    ...draft,
    id,
    provider: 'import',
    status: 'active',
    messages_imported: 0,
    messages_failed: 0,
    created_at: now.toISOString(),
    updated_at: null,
  };
}

/** A user that is not stored yet, with a mailbox of the same address and name; the write stores the mailbox. */
export function withFirstMailbox(user: User, now: Date): { owner: User; mailbox: Write } {
  const { account_id, id: user_id, email_address, name } = user;
  const mailbox = newMailbox({ account_id, user_id, email_address, name }, now);
  const owner: User = {
    ...user,
    mailboxes: { [mailbox.id]: 'owner' },
    indexed_mailboxes: { [mailbox.id]: true },
    primary_mailbox_id: mailbox.id,
  };
  const otherwise = () => new ApiError('mailbox_creation_failed');
  return { owner, mailbox: { put: mailbox, when: mustNotExist, otherwise } };
}

/**
 * The owner's access to a new mailbox, which becomes the primary one if there is no other. The owner's item lists the
 * mailboxes with label_sync on, so a change of a thread needs no further read.
 */
export function ownerWrite(
  user: Pick<User, 'id' | 'account_id' | 'mailboxes' | 'primary_mailbox_id'>,
  { id, label_sync }: Pick<Mailbox, 'id' | 'label_sync'>,
): Write {
  return update<User>(keys.user(user.account_id, user.id), {
    set: {
      mailboxes: at(id, 'owner'),
      indexed_mailboxes: at(id, true),
      primary_mailbox_id: primaryOf(user) ?? id,
    },
    add: { label_sync_mailbox_ids: label_sync ? new Set([id]) : undefined },
    when: { primary_mailbox_id: user.primary_mailbox_id },
  });
}

/** One transaction. The user's item is written on condition that it is unchanged, and read again otherwise. */
export async function createMailbox(table: Table, draft: MailboxDraft, now: Date): Promise<Mailbox> {
  const mailbox = newMailbox(draft, now);
  return retryOnConflict(async () => {
    const [user] = await findUsers(table, draft.account_id, [draft.user_id]);
    if (!user) throw new Error('A mailbox needs a user that exists');
    await table.transact([{ put: mailbox, when: mustNotExist }, ownerWrite(user, mailbox)]);
    return mailbox;
  });
}
