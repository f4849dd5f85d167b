import type { Context } from '#shared/context.ts';
import { notificationsOf } from '#shared/domain/collaboration/notifications/emit.ts';
import type { Group } from '#shared/domain/identity/groups/group.ts';
import { type Change, noChange } from '#shared/domain/platform/jobs/commit.ts';
import { keys } from '#shared/table/keys.ts';
import { mailboxKind } from './kind.ts';
import type { Failure, Mailbox } from './mailbox.ts';

/**
 * The one place that locks and unlocks mailboxes. The caller writes the fields on the condition that the mailbox still is
 * as it was read, with what tells of it in the same transaction: so nobody is told twice.
 */
export interface Turn {
  set: Partial<Pick<Mailbox, 'status' | 'lock'>>;
  remove: 'lock'[];
  when: Pick<Mailbox, 'status'>;
  /** `TOLD_AT_ONCE` items at most. */
  told: Change;
}

/** Notifications in the transaction of a turn; a job delivers the others. */
export const TOLD_AT_ONCE = 8;

/** Of a mailbox that stays as it is. */
export const unturned = ({ status }: Mailbox): Turn => ({
  set: {},
  remove: [],
  when: { status },
  told: noChange,
});

/** By the code of the failure that locked it. */
export const isLockedForCalendars = ({ lock }: Mailbox) => lock?.code === 'credentials_refused';

/** Its owner, and all whom it is shared with, groups too. */
async function audienceOf({ table }: Context, { account_id, user_id, shares }: Mailbox): Promise<string[]> {
  const all = Object.values(shares);
  const group_ids = all.flatMap((share) => share.group_id ?? []);
  const groups = await table.getMany<Group>(group_ids.map((id) => keys.group(account_id, id)));
  const members = groups.flatMap((group) => Object.keys(group.members));
  return [...new Set([user_id, ...all.flatMap((share) => share.user_id ?? []), ...members])];
}

async function told(
  ctx: Context,
  mailbox: Mailbox,
  event: 'mailbox_locked' | 'mailbox_unlocked',
  actor_id: string | null,
): Promise<Change> {
  const { id, account_id, name, email_address } = mailbox;
  const occurrence = {
    ...{ account_id, actor_id, about: { email_address } },
    record: { type: 'mailboxes' as const, id, label: { name } },
    told: [{ event, user_ids: await audienceOf(ctx, mailbox) }],
  };
  const knowing = { ...ctx, ports: { records: { mailboxes: mailboxKind } } };
  return notificationsOf(knowing, occurrence, TOLD_AT_ONCE);
}

/** One that is locked already keeps its lock. */
export async function lockMailbox(ctx: Context, mailbox: Mailbox, { code, message }: Failure): Promise<Turn> {
  if (mailbox.status === 'locked') return unturned(mailbox);
  const lock = { code, message, locked_at: ctx.now.toISOString() };
  return {
    ...unturned(mailbox),
    set: { status: 'locked', lock },
    told: await told(ctx, mailbox, 'mailbox_locked', null),
  };
}

/** `actor_id` gave credentials that work, and is not told. */
export async function unlockMailbox(
  ctx: Context,
  mailbox: Mailbox,
  actor_id: string | null,
  status: Mailbox['status'] = 'active',
): Promise<Turn> {
  if (mailbox.status !== 'locked') return unturned(mailbox);
  return {
    ...unturned(mailbox),
    ...{ set: { status }, remove: ['lock'] },
    told: await told(ctx, mailbox, 'mailbox_unlocked', actor_id),
  };
}
