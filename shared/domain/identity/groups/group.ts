import * as z from 'zod';
import { isAdmin, type User } from '#shared/domain/identity/users/user.ts';
import { foldName } from '#shared/folding.ts';
import type { Item } from '#shared/table/table.ts';
import { color, nameText, notWritable, text, timestamp, uuid } from '#shared/values.ts';

/** Since when a user is in a group. */
interface Member {
  id: string;
  created_at: string;
}

/** A group as stored. Its name is held by an item of its own, and each member's user knows the group as well. */
export type Group = Item & {
  id: string;
  account_id: string;
  /** Who created it. */
  user_id: string;
  name: string;
  description: string | null;
  color: string | null;
  /** By the id of the user. */
  members: Record<string, Member>;
  /** Grows with every change, so that none is written over unseen. */
  version: number;
  created_at: string;
  updated_at: string | null;
};

/**
 * A group and the users that join or leave it change in one transaction of 100 items at most: so many users are in a
 * group, and so many memberships change at a time.
 */
export const MAX_MEMBERS = 90;

const member = z.strictObject({
  id: uuid,
  name: z.string().meta({ example: 'Ada Lovelace' }),
  email_address: z.string().meta({ example: 'ada@acme.example' }),
  avatar_url: z.string().nullable(),
});

/** docs/specification/people.md, "Groups". */
export const groupRecord = z
  .strictObject({
    id: uuid,
    user_id: uuid.nullable(),
    name: z.string().meta({ example: 'Berth office' }),
    description: z.string().nullable().meta({ example: 'Who answers for the piers' }),
    color: color.nullable(),
    user_ids: z.array(uuid),
    users: z.array(member),
    member: z.boolean().meta({ description: "Whether the key's user is in it" }),
    created_at: timestamp.nullable(),
    updated_at: timestamp.nullable(),
  })
  .meta({ id: 'Group' });

export const membershipRecord = z
  .strictObject({ id: uuid, group_id: uuid, user_id: uuid, created_at: timestamp })
  .meta({ id: 'Membership' });

export type MembershipRecord = z.infer<typeof membershipRecord>;

const name = nameText(255).meta({ example: 'Berth office' });
const description = text(20_000).nullable();
const userIds = z.array(uuid).max(MAX_MEMBERS);

export const groupDraft = z
  .object({
    name,
    description: description.default(null),
    color: color.nullable().default(null),
    user_ids: userIds.default([]),
  })
  .meta({ id: 'GroupDraft' });

export type GroupDraft = z.infer<typeof groupDraft>;

export const groupChanges = z
  .object({
    name: name.optional(),
    description: description.optional(),
    color: color.nullable().optional(),
    user_ids: userIds.optional(),
    id: notWritable,
    user_id: notWritable,
    users: notWritable,
    member: notWritable,
    created_at: notWritable,
    updated_at: notWritable,
  })
  .meta({ id: 'GroupChanges' });

export type GroupChanges = z.infer<typeof groupChanges>;

/** Who may change and delete a group, and decide about its members. */
export function mayManage(user: User, group: Group): boolean {
  return user.id === group.user_id || isAdmin(user);
}

/** By name without case; what has the same name, by id. */
export function byName(a: { id: string; name: string }, b: { id: string; name: string }): number {
  const [first, second] = [foldName(a.name) + a.id, foldName(b.name) + b.id];
  return first < second ? -1 : first > second ? 1 : 0;
}

/** `users` are those of the account, or at least those in the group. */
export function presentGroup(group: Group, users: User[], viewer: User): z.infer<typeof groupRecord> {
  const members = users.filter(({ id }) => Object.hasOwn(group.members, id)).sort(byName);
  return {
    id: group.id,
    user_id: group.user_id,
    name: group.name,
    description: group.description,
    color: group.color,
    user_ids: members.map(({ id }) => id),
    users: members.map((user) => ({
      id: user.id,
      name: user.name,
      email_address: user.email_address,
      avatar_url: user.avatar_url,
    })),
    member: Object.hasOwn(group.members, viewer.id),
    created_at: group.created_at,
    updated_at: group.updated_at,
  };
}
