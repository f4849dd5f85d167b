import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { findUsers } from '#shared/domain/identity/users/store.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { newJob } from '#shared/domain/platform/jobs/job.ts';
import { requireVersion } from '#shared/domain/platform/versions/version.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { asRead, mustExist, type Table, update, type Write } from '#shared/table/table.ts';
import { mailboxAddresses } from './addresses.ts';
import { chosen, type Mailbox } from './mailbox.ts';
import { ownedIds } from './owned.ts';
import { isDeleted, requireDeletable } from './policy.ts';

/**
 * Deletes a mailbox: what connects it with its servers is removed at once, and nobody finds the mailbox any more. Its item
 * stays, with who has access: by them, mail that is kept stays readable (docs/decisions/0075).
 */

/** The message of the job that removes the rest. */
export interface DeletedMailbox extends Record<string, unknown> {
  account_id: string;
  deleted_mailbox_id: string;
  keep_threads: boolean;
  /** The second one takes what a worker stored that was still reading. */
  pass: 1 | 2;
}

/** The oldest mailbox that is left becomes the primary one. */
async function ownerWrite(table: Table, { id, account_id, user_id }: Mailbox): Promise<Write[]> {
  const key = keys.user(account_id, user_id);
  const [owner] = await findUsers(table, account_id, [user_id]);
  if (!owner) return [];
  const others = ownedIds(owner).filter((each) => each !== id);
  const found = await table.getMany<Mailbox>(others.map((each) => keys.mailbox(account_id, each)));
  const [next] = found
    .filter((each) => !isDeleted(each))
    .map((each) => each.id)
    .sort();
  const isPrimary = owner.primary_mailbox_id === id;
  return [
    update<User>(key, {
      set: isPrimary ? { primary_mailbox_id: next ?? null } : {},
      take: { label_sync_mailbox_ids: new Set([id]) },
      when: isPrimary ? { primary_mailbox_id: id } : mustExist,
    }),
  ];
}

/** From then on nothing signs in any more. */
const disconnected = (
  { account_id, id, deleted_at, status, mail_server, updated_at }: Mailbox,
  now: Date,
): Write =>
  update<Mailbox>(keys.mailbox(account_id, id), {
    set: {
      ...{ deleted_at: now.toISOString(), label_sync: false, calendar_sync: false },
      status: status === 'locked' ? 'active' : undefined,
    },
    remove: ['mail_server', 'mail_state', 'calendar_server', 'calendar_state', 'lock'],
    when: {
      ...{ PK: asRead(keys.mailbox(account_id, id).PK), deleted_at: asRead(deleted_at), status },
      mail_server: asRead(mail_server),
      updated_at: asRead(updated_at),
    },
  });

/** The address may be connected again. */
const addressFreed = ({ account_id, id, email_address, mail_server }: Mailbox): Write[] =>
  mail_server ? [mailboxAddresses.free(account_id, email_address, id)] : [];

/** Its connection and secrets go at once, and by a job its messages, unless they are kept. Returns it as it was. */
export function deleteMailbox(ctx: CallerContext, id: string, keep_threads: boolean): Promise<Mailbox> {
  return retryOnConflict(async () => {
    const mailbox = await requireDeletable(ctx, id, keep_threads);
    requireVersion(ctx, id, chosen(mailbox));
    const { account_id } = mailbox;
    const body: DeletedMailbox = { account_id, deleted_mailbox_id: id, keep_threads, pass: 1 };
    await commit(ctx, {
      writes: [
        disconnected(mailbox, ctx.now),
        ...addressFreed(mailbox),
        ...(await ownerWrite(ctx.table, mailbox)),
      ],
      jobs: [newJob('index-threads', body, ctx.now)],
    });
    return mailbox;
  });
}
