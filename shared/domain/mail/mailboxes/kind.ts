import type { RecordKind } from '#shared/domain/collaboration/records/kind.ts';
import { findMailbox } from './policy.ts';

/** Mailboxes as records that users are notified of. Their users' items say who sees them. */
export const mailboxKind: RecordKind = {
  async load(ctx, id) {
    const mailbox = await findMailbox(ctx, id);
    if (!mailbox) return undefined;
    const { name, user_id } = mailbox;
    return { type: 'mailboxes', id, label: { name }, owner_ids: [user_id], tag_ids: [] };
  },
  seenBy: async (_table, id, users) =>
    users.filter(({ mailboxes }) => Object.hasOwn(mailboxes, id)).map((user) => ({ user })),
};
