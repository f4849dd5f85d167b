import { asOfNow, type Context } from '#shared/context.ts';
import { type StoredShare, shareIdOf } from '#shared/domain/collaboration/shares/share.ts';
import { changeOf, type SharedItem, shareIs } from '#shared/domain/collaboration/shares/writes.ts';
import { hasTakenOver } from '#shared/domain/identity/users/holder.ts';
import type { Passes, Passing } from '#shared/domain/identity/users/leaving.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { type KeepsLists, listJobs } from '#shared/domain/platform/lists/keeper.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { at, missing, update } from '#shared/table/table.ts';
import type { Mailbox } from './mailbox.ts';
import { mailboxSharing } from './sharing.ts';

/**
 * The mailboxes of a user who left stay theirs, and are shared to edit with who takes over: threads, files and events of
 * mail follow from the owner of their mailbox. So are those that the user had taken over.
 */

type Ctx = Context<KeepsLists>;

function shareWith({ to }: Passing, mailbox: Mailbox, now: Date): StoredShare {
  const record = { type: 'mailboxes' as const, id: mailbox.id };
  const existing = Object.values(mailbox.shares).find(({ user_id }) => user_id === to.id);
  return {
    id: shareIdOf(record, to.id),
    user_id: to.id,
    group_id: null,
    shared_by_user_id: null,
    created_at: now.toISOString(),
    ...existing,
    access: 'edit',
  };
}

/** No writes when it is shared to edit already. */
async function shareMailbox(ctx: Ctx, id: string, passing: Passing): Promise<void> {
  const { account_id } = passing.from;
  const key = keys.mailbox(account_id, id);
  const mailbox = await ctx.table.get<Mailbox>(key);
  if (!mailbox) return;
  const share = shareWith(passing, mailbox, ctx.now);
  const before = mailbox.shares[share.id];
  if (before?.access === 'edit') return;
  const record = { type: 'mailboxes' as const, id };
  const shareable = {
    ...{ record, item: key, account_id, label: { name: mailbox.name }, shares: mailbox.shares },
    ...{ inherited: [], may_share: true, opens: {} },
  };
  await commit(ctx, {
    writes: [
      update<SharedItem>(key, {
        set: { shares: at(share.id, share) },
        when: before ? { shares: at(share.id, before) } : shareIs(share.id, missing),
      }),
      ...mailboxSharing.giving(shareable, share),
    ],
    jobs: listJobs(ctx, changeOf(shareable, [passing.to.id])),
  });
}

/** The user's own, and those of colleagues who left before. */
async function mailboxesOf({ table }: Ctx, { from }: Passing): Promise<string[]> {
  const withAccess = (wanted: string) =>
    Object.entries(from.mailboxes).flatMap(([id, access]) => (access === wanted ? [id] : []));
  const edited = await table.getMany<Mailbox>(
    withAccess('edit').map((id) => keys.mailbox(from.account_id, id)),
  );
  const taken = edited.map(async ({ id, user_id }) =>
    (await hasTakenOver(table, from, user_id)) ? [id] : [],
  );
  return [...withAccess('owner'), ...(await Promise.all(taken)).flat()];
}

export const passMailboxes: Passes<KeepsLists> = async (ctx, passing, timeIsUp) => {
  for (const id of await mailboxesOf(ctx, passing)) {
    if (timeIsUp()) return false;
    await retryOnConflict(() => shareMailbox(asOfNow(ctx), id, passing));
  }
  return true;
};
