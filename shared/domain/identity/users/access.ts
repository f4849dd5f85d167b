import { keys } from '#shared/table/keys.ts';
import type { Item, Write } from '#shared/table/table.ts';
import type { User } from './user.ts';

/**
 * Access through groups. What the groups of an account have access to is one item, which is read beside users and
 * costs no round trip: all members have the access of their group with their next request, however many they are.
 * Every group is an attribute, made and removed with the group, that is named by its id and holds its mailboxes.
 */
export type GroupAccess = Item;

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
    const given = (access?.[group] ?? {}) as Record<string, GivenAccess>;
    for (const [mailbox, how] of Object.entries(given)) {
      const before = mailboxes[mailbox];
      if (before === undefined || strength[before] < strength[how]) mailboxes[mailbox] = how;
    }
  }
  return { ...user, mailboxes };
}

/** Fails when the account has as many groups as it may. */
export function addGroupAccess(account_id: string, group_id: string): Write {
  return {
    key: keys.groupAccess(account_id),
    update: {
      update: 'SET #group = :nothing ADD group_count :one',
      condition: 'attribute_not_exists(group_count) OR group_count < :most',
      names: { '#group': group_id },
      values: { ':nothing': {}, ':one': 1, ':most': MAX_GROUPS },
    },
  };
}

/** Ends all access of the group at once. */
export function removeGroupAccess(account_id: string, group_id: string): Write {
  return {
    key: keys.groupAccess(account_id),
    update: {
      update: 'REMOVE #group ADD group_count :less',
      condition: 'attribute_exists(#group)',
      names: { '#group': group_id },
      values: { ':less': -1 },
    },
  };
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
  return {
    key: keys.groupAccess(account_id),
    update: {
      update: 'SET #group.#mailbox = :access',
      condition: 'attribute_exists(#group)',
      names: { '#group': group_id, '#mailbox': mailbox_id },
      values: { ':access': access },
    },
  };
}

/** Fails when there is no such group; what it never had may be taken away. */
export function revokeGroupMailbox(account_id: string, group_id: string, mailbox_id: string): Write {
  return {
    key: keys.groupAccess(account_id),
    update: {
      update: 'REMOVE #group.#mailbox',
      condition: 'attribute_exists(#group)',
      names: { '#group': group_id, '#mailbox': mailbox_id },
    },
  };
}
