import type { Shareable, ShareKind } from '#shared/domain/collaboration/shares/kind.ts';
import type { StoredShare } from '#shared/domain/collaboration/shares/share.ts';
import {
  grantGroupMailbox,
  requireRoomForMailbox,
  revokeGroupMailbox,
} from '#shared/domain/identity/users/access.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import { at, mustExist, update, type Write } from '#shared/table/table.ts';
import { findMailbox, isOwner } from './policy.ts';

/** Access of a user to another user's mailbox. */
function userWrite(
  { record, account_id }: Shareable,
  user_id: string,
  access: StoredShare['access'] | null,
): Write {
  return update<User>(
    keys.user(account_id, user_id),
    access === null
      ? { remove: [['mailboxes', record.id]], when: mustExist }
      : { set: { mailboxes: at(record.id, access) }, when: mustExist },
  );
}

/** Mailboxes as records that their owners share (docs/specification/people.md, "Shares"). */
export const mailboxSharing: ShareKind = {
  async load(ctx, id) {
    const mailbox = await findMailbox(ctx, id);
    if (!mailbox) return undefined;
    return {
      record: { type: 'mailboxes', id },
      item: keys.mailbox(mailbox.account_id, id),
      account_id: mailbox.account_id,
      label: { name: mailbox.name },
      shares: mailbox.shares,
      inherited: [],
      may_share: isOwner(ctx.caller, mailbox),
      opens: {},
    };
  },
  async requireRoom({ table, caller }, { group_id }) {
    if (group_id !== null) await requireRoomForMailbox(table, caller.account.id);
  },
  giving: (shareable, { user_id, group_id, access }) =>
    group_id === null
      ? [userWrite(shareable, user_id as string, access)]
      : [grantGroupMailbox(shareable.account_id, group_id, shareable.record.id, access)],
  taking: (shareable, { user_id, group_id }) =>
    group_id === null
      ? [userWrite(shareable, user_id as string, null)]
      : [revokeGroupMailbox(shareable.account_id, group_id, shareable.record.id)],
};
