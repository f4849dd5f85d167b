import { invalidField } from '#shared/errors.ts';
import type { Uuid } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import {
  at,
  below,
  either,
  type Item,
  missing,
  present,
  type Table,
  update,
  type Write,
} from '#shared/table/table.ts';
import type { User } from './user.ts';

/**
 * Access through groups. One item of the account holds what its groups have access to. It is read in parallel with the
 * user and costs no round trip, so every member has a new access with the next request, for any size of the group.
 * Each group is an attribute named by its id, which holds its mailboxes and is created and removed with the group.
 */
export type GroupAccess = Item & { group_count?: number } & {
  [group_id: Uuid]: Record<string, GivenAccess>;
};

type Access = User['mailboxes'][string];
/** Groups own nothing. */
export type GivenAccess = Exclude<Access, 'owner'>;

/** The item is read with every request: 500 groups with two mailboxes each are about 65 kB. */
export const MAX_GROUPS = 500;
/** Mailboxes that all groups have, each counted for each group: with 500 groups an item has room for about 9,000. */
const MAX_GROUP_MAILBOXES = 5_000;

const strength: Record<Access, number> = { view: 1, edit: 2, owner: 3 };

/** The user with the access of the user's groups. Of several ways to one mailbox the strongest counts. */
export function withGroupAccess(user: User, access: GroupAccess | undefined): User {
  if (!user.group_ids) return user;
  const mailboxes = { ...user.mailboxes };
  for (const group of user.group_ids) {
    const given = access?.[group as Uuid] ?? {};
    for (const [mailbox, how] of Object.entries(given)) {
      const before = mailboxes[mailbox];
      if (before === undefined || strength[before] < strength[how]) mailboxes[mailbox] = how;
    }
  }
  return { ...user, mailboxes };
}

/** 400 when the account has the maximum number of groups. */
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

/** Ends all access of the group. */
export function removeGroupAccess(account_id: string, group_id: string): Write {
  return update<GroupAccess>(keys.groupAccess(account_id), {
    add: { group_count: -1 },
    remove: [group_id as Uuid],
    when: { [group_id]: present },
  });
}

/** 400 when the groups of the account have the maximum number of mailboxes; some more when several are given at once. */
export async function requireRoomForMailbox(table: Table, account_id: string): Promise<void> {
  const access: object = (await table.get<GroupAccess>(keys.groupAccess(account_id))) ?? {};
  const groups = Object.values(access).filter((value) => typeof value === 'object');
  const count = groups.reduce((sum, mailboxes) => sum + Object.keys(mailboxes).length, 0);
  if (count >= MAX_GROUP_MAILBOXES)
    throw invalidField(
      'share',
      'invalid',
      `cannot be added: an account has at most ${MAX_GROUP_MAILBOXES} shares of mailboxes with groups`,
    );
}

/**
 * Gives a group access to a mailbox, or changes it. Fails when there is no such group. A transaction may write an item
 * only once, so it can contain one of these writes.
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

/** Fails when there is no such group; access that does not exist may be removed. */
export function revokeGroupMailbox(account_id: string, group_id: string, mailbox_id: string): Write {
  return update<GroupAccess>(keys.groupAccess(account_id), {
    remove: [[group_id as Uuid, mailbox_id]],
    when: { [group_id]: present },
  });
}
