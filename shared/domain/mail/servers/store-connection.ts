import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { primaryOf } from '#shared/domain/identity/users/primary.ts';
import { findUsers } from '#shared/domain/identity/users/store.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { mailboxAddresses } from '#shared/domain/mail/mailboxes/addresses.ts';
import { newMailbox as newRecord, ownerWrite } from '#shared/domain/mail/mailboxes/create.ts';
import { mailSyncJob } from '#shared/domain/mail/mailboxes/mail-sync-job.ts';
import { type Mailbox, type MailLogin, noMailState } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { readOwned } from '#shared/domain/mail/mailboxes/owned.ts';
import { isDeleted } from '#shared/domain/mail/mailboxes/policy.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { ApiError } from '#shared/errors.ts';
import { newId } from '#shared/ids.ts';
import { nextMoment } from '#shared/next-moment.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { missing, mustNotExist, update, type Write } from '#shared/table/table.ts';

/** Stores that a mailbox is connected with its mail servers. */

export interface NewConnection {
  provider: Mailbox['provider'];
  /** In lower case. */
  email_address: string;
  name?: string | undefined;
  /** Secrets are sealed for one mailbox. */
  serversOf: (mailbox_id: string) => MailLogin;
  /** In the same transaction. */
  writes?: Write[];
}

/** Their own mailbox with this address that has no server yet: its mail is from archives. */
async function ownUnconnected(
  { table }: CallerContext,
  owner: User,
  email_address: string,
): Promise<Mailbox | undefined> {
  const found = await readOwned(table, owner);
  const archives = found.filter((each) => !each.mail_server && !isDeleted(each));
  return archives.find((each) => each.email_address.toLowerCase() === email_address);
}

export interface Connected {
  mailbox: Mailbox;
  owner: User;
}

type Connecting = Connected & { writes: Write[] };

/** What is stored of a connection. */
type Connection = Pick<Mailbox, 'provider' | 'status' | 'label_sync' | 'mail_server' | 'mail_state'>;

const connectionOf = ({ provider, serversOf }: NewConnection, id: string): Connection => ({
  ...{ provider, status: 'connecting', label_sync: true, mail_state: noMailState },
  mail_server: serversOf(id),
});

/** A mailbox that has its mail from archives keeps it. */
function connected(ctx: CallerContext, before: Mailbox, owner: User, draft: NewConnection): Connecting {
  const { id, account_id } = before;
  const set = {
    ...connectionOf(draft, id),
    ...(draft.name === undefined ? {} : { name: draft.name }),
    updated_at: nextMoment(before, ctx.now),
  };
  const writes = [
    update<Mailbox>(keys.mailbox(account_id, id), {
      set,
      when: { updated_at: before.updated_at, mail_server: missing },
    }),
    update<User>(keys.user(account_id, owner.id), {
      add: { label_sync_mailbox_ids: new Set([id]) },
      when: { id: owner.id },
    }),
  ];
  return { mailbox: { ...before, ...set }, owner, writes };
}

function created(ctx: CallerContext, owner: User, draft: NewConnection): Connecting {
  const { email_address, name = email_address } = draft;
  const { account_id, id: user_id } = owner;
  const id = newId(ctx.now);
  const record = newRecord({ id, account_id, user_id, email_address, name }, ctx.now);
  const mailbox = { ...record, ...connectionOf(draft, id) };
  const writes = [{ put: mailbox, when: mustNotExist }, ownerWrite(owner, mailbox)];
  return {
    mailbox,
    owner: {
      ...owner,
      mailboxes: { ...owner.mailboxes, [id]: 'owner' },
      primary_mailbox_id: primaryOf(owner) ?? id,
    },
    writes,
  };
}

/** 409 `mailbox_already_connected`. */
export async function requireFree({ table, caller }: CallerContext, email_address: string): Promise<void> {
  const held = await mailboxAddresses.find(table, caller.account.id, [email_address]);
  if (held.size > 0) throw new ApiError('mailbox_already_connected');
}

/** The mailbox with its owner. 409 `mailbox_already_connected` when the address is taken meanwhile. */
export function storeConnection(ctx: CallerContext, draft: NewConnection): Promise<Connected> {
  const { account, user } = ctx.caller;
  const { email_address } = draft;
  return retryOnConflict(async () => {
    const [owner] = await findUsers(ctx.table, account.id, [user.id]);
    if (!owner) throw new Error('The caller is gone');
    const before = await ownUnconnected(ctx, owner, email_address);
    const { writes, ...result } = before ? connected(ctx, before, owner, draft) : created(ctx, owner, draft);
    const address = mailboxAddresses.take(account.id, email_address, result.mailbox.id);
    await commit(ctx, {
      writes: [address, ...writes, ...(draft.writes ?? [])],
      jobs: [mailSyncJob(result.mailbox, ctx.now)],
    });
    return result;
  });
}
