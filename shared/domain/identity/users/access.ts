import { invalidField } from '#shared/errors.ts';
import type { Uuid } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { at, below, either, type Item, missing, present, update, type Write } from '#shared/table/table.ts';
import type { User } from './user.ts';

/**
 * Access through groups. What the groups of an account have access to is one item, which is read beside users and
 * costs no round trip: all members have the access of their group with their next request, however many they are.
 * Every group is an attribute, made and removed with the group, that is named by its id and holds its mailboxes.
 */
export type GroupAccess = Item & { group_count?: number } & {
  [group_id: Uuid]: Record<string, GivenAccess>;
};

type Access = User['mailboxes'][string];
/** A group owns nothing. */
export type GivenAccess = Exclude<Access, 'owner'>;

/** The item is read with every request: 500 groups with two mailboxes each are about 65 kB. */
export const MAX_GROUPS = 500;

const strength: Record<Access, number> = { view: 1, edit: 2, owner: 3 };

/** The user with what the user's groups have access to: of several ways to one mailbox the strongest counts. */
export function withGroupAccess(user: User, access: GroupAccess | undefined): User {
  const mailboxes = { ...user.mailboxes };
  for (const group of user.group_ids ?? []) {
    const given = access?.[group as Uuid] ?? {};
    for (const [mailbox, how] of Object.entries(given)) {
      const before = mailboxes[mailbox];
      if (before === undefined || strength[before] < strength[how]) mailboxes[mailbox] = how;
    }
  }
  return { ...user, mailboxes };
}

/** 400 when the account has as many groups as it may. */
export function addGroupAccess(account_id: string, group_id: string): Write {
  return {
    ...update<GroupAccess>(keys.groupAccess(account_id), {
      set: { [group_id]: {} },
      add: { group_count: 1 },
      when: { group_count: either(missing, below(MAX_GROUPS)) },
    }),
    otherwise: () =>
      invalidField('group', 'invalid', `cannot be added: an account has at most ${MAX_GROUPS} groups`),
  };
}

/** Ends all access of the group at once. */
export function removeGroupAccess(account_id: string, group_id: string): Write {
  return update<GroupAccess>(keys.groupAccess(account_id), {
    add: { group_count: -1 },
    remove: [group_id as Uuid],
    when: { [group_id]: present },
  });
}

/**
 * Gives a group access to a mailbox, or changes it. Fails when there is no such group. A transaction can write an item
 * once, so it holds one of these writes.
 */
export function grantGroupMailbox(
  account_id: string,
  group_id: string,
  mailbox_id: string,
  access: GivenAccess,
): Write {
  return update<GroupAccess>(keys.groupAccess(account_id), {
    set: { [group_id]: at(mailbox_id, access) },
    when: { [group_id]: present },
  });
}

/** Fails when there is no such group; what it never had may be taken away. */
export function revokeGroupMailbox(account_id: string, group_id: string, mailbox_id: string): Write {
  return update<GroupAccess>(keys.groupAccess(account_id), {
    remove: [[group_id as Uuid, mailbox_id]],
    when: { [group_id]: present },
  });
}
