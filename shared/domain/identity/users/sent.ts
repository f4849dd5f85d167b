import { invalidField, recordNotFound } from '#shared/errors.ts';
import { missing, present, when } from '#shared/table/conditions.ts';
import { keys } from '#shared/table/keys.ts';
import type { Item, Write } from '#shared/table/table.ts';
import type { User, UserChanges } from './user.ts';

/** What requests change of a user (docs/specification/people.md, "Users"). */

/** Fields that users change of themselves; `role` and `status` are the matter of admins. */
export type OwnChanges = Omit<UserChanges, 'role' | 'status'>;

/** The full name follows from its parts: 400 when nothing is left of it. */
function nameWith(user: User, { first_name = user.first_name, last_name = user.last_name }: OwnChanges) {
  const name = [first_name, last_name].filter((part) => part !== null).join(' ');
  if (name === '') throw invalidField('first_name', 'required', 'must not be empty without a last_name');
  return { name, first_name, last_name };
}

/** Events that are sent replace, others stay, `null` removes. */
function settingsWith(
  { notification_settings }: User,
  sent: NonNullable<OwnChanges['notification_settings']>,
): User['notification_settings'] {
  const all = Object.entries({ ...notification_settings, ...sent });
  return Object.fromEntries(all.flatMap(([event, setting]) => (setting ? [[event, setting]] : [])));
}

/** 404 for a mailbox that is deleted: who read it still has the access (docs/decisions/0075). */
export function primaryIsThere({ account_id }: User, { primary_mailbox_id: id }: OwnChanges): Write[] {
  if (!id) return [];
  const isThere = when<Item & { deleted_at?: string }>({ PK: present, deleted_at: missing });
  return [{ check: keys.mailbox(account_id, id), when: isThere, otherwise: recordNotFound }];
}

/** 404 for a mailbox that the user does not read. */
function requireMailbox(user: User, id: string | null): void {
  if (id !== null && !Object.hasOwn(user.mailboxes, id)) throw recordNotFound();
}

/** The user, loaded with the access of its groups, with what was sent. */
export function withOwnChanges(before: User, sent: OwnChanges): User {
  const { first_name, last_name, notification_settings, ...plain } = sent;
  if (plain.primary_mailbox_id !== undefined) requireMailbox(before, plain.primary_mailbox_id);
  const given = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined));
  return {
    ...before,
    ...given,
    ...(first_name === undefined && last_name === undefined
      ? {}
      : nameWith(before, { first_name, last_name })),
    ...(notification_settings ? { notification_settings: settingsWith(before, notification_settings) } : {}),
  };
}
