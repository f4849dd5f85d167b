import type { User } from '#shared/domain/identity/users/user.ts';
import { type Mailbox, mailboxSchema } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { keys } from '#shared/table/keys.ts';
import type { Change } from '#shared/table/stream.ts';
import { changedFields, sameNames } from './changed-fields.ts';
import { type LiveKind, type News, toAll } from './news.ts';

const shown = {
  ...sameNames(mailboxSchema.shape),
  mail_server: ['outbound_enabled'],
  mail_state: ['sync'],
  calendar_state: ['sync'],
  sending_error: ['sync'],
  messages_imported: ['sync'],
  messages_failed: ['sync'],
  lock: ['lock'],
};

/** Mailboxes: for those who have access to them. */
export const mailboxes: LiveKind = {
  partition: keys.mailbox('', '').PK,
  sort: keys.mailbox('', '').SK,
  news(change): News[] {
    const { id, account_id } = (change.after ?? change.before) as Mailbox;
    const changed = changedFields(change, shown);
    const told = ({ users }: { users: readonly User[] }) =>
      toAll(
        users.filter((user) => Object.hasOwn(user.mailboxes, id)).map((user) => user.id),
        changed,
      );
    return [{ kind: 'shared', type: 'mailbox.changed', about: { id }, account: account_id, told }];
  },
};

/** What a user's own item says of mailboxes: access by the user's name, and which one is the first. */
export function mailboxesOfUser({ before, after }: Change): News[] {
  const [old, next] = [before as User | undefined, after as User | undefined];
  if (!old || !next) return [];
  const of = (id: string, changed: string): News => ({
    ...{ kind: 'own', type: 'mailbox.changed', about: { id }, user_id: next.id, changed: [changed] },
  });
  const ids = new Set([...Object.keys(old.mailboxes), ...Object.keys(next.mailboxes)]);
  const access = [...ids].filter((id) => old.mailboxes[id] !== next.mailboxes[id]);
  const primary = old.primary_mailbox_id === next.primary_mailbox_id ? [] : [old, next];
  return [
    ...access.map((id) => of(id, 'access')),
    ...primary.flatMap(({ primary_mailbox_id: id }) => (id === null ? [] : of(id, 'primary'))),
  ];
}
