import * as z from 'zod';
import type { Called } from '#shared/context.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { avatarUrl } from '#shared/domain/identity/users/avatar.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { foldName } from '#shared/folding.ts';
import { apart, defaulted, derived, given, required, resource, type StoredFields } from '#shared/resource.ts';
import type { Item } from '#shared/table/table.ts';
import { color, nameText, text, timestamp, uuid } from '#shared/values.ts';

/** Since when a user is a member. */
interface Member {
  id: string;
  created_at: string;
}

/**
 * A group changes together with the users that join or leave it, in one transaction of 100 items at most: this limits
 * both the size of a group and the members that one request changes.
 */
export const MAX_MEMBERS = 90;

const member = z.strictObject({
  id: uuid,
  name: z.string().meta({ example: 'Ada Lovelace' }),
  email_address: z.string().meta({ example: 'ada@acme.example' }),
  avatar_url: z.string().nullable(),
});

const description = text(20_000).nullable();

const groups = resource('Group', {
  id: given(uuid),
  user_id: given(uuid.nullable()),
  name: required(
    nameText(255).meta({ example: 'Berth office' }),
    z.string().meta({ example: 'Berth office' }),
  ),
  description: defaulted(
    description,
    null,
    z.string().nullable().meta({ example: 'Who answers for the piers' }),
  ),
  color: defaulted(color.nullable(), null, color.nullable()),
  user_ids: apart(defaulted(z.array(uuid).max(MAX_MEMBERS), [], z.array(uuid))),
  users: derived(z.array(member)),
  member: derived(z.boolean().meta({ description: "Whether the key's user is in it" })),
  created_at: given(timestamp.nullable()),
  updated_at: given(timestamp.nullable()),
});

/** A group as stored. An item of its own reserves its name, and the user of each member stores the group as well. */
export type Group = Item &
  StoredFields<typeof groups.fields> & {
    account_id: string;
    /** By user id. */
    members: Record<string, Member>;
    /** Grows with every change, for optimistic locking. */
    version: number;
  };

/** docs/specification/people.md, "Groups". */
export const groupSchema = groups.response;
export const groupDraft = groups.draft.meta({ id: 'GroupDraft' });
export const groupChanges = groups.changes.meta({ id: 'GroupChanges' });

export type GroupDraft = z.infer<typeof groupDraft>;
export type GroupChanges = z.infer<typeof groupChanges>;

export const membershipSchema = z
  .strictObject({ id: uuid, group_id: uuid, user_id: uuid, created_at: timestamp })
  .meta({ id: 'Membership' });

export type MembershipRecord = z.infer<typeof membershipSchema>;

/** By name without case, then by id. */
export function byName(a: { id: string; name: string }, b: { id: string; name: string }): number {
  const [first, second] = [foldName(a.name) + a.id, foldName(b.name) + b.id];
  return first < second ? -1 : first > second ? 1 : 0;
}

/** `users` are those of the account, or at least the members. */
export function presentGroup(
  group: Group,
  users: User[],
  ctx: CallerContext & Called,
): z.infer<typeof groupSchema> {
  const members = users.filter(({ id }) => Object.hasOwn(group.members, id)).sort(byName);
  return groups.present(group, {
    user_ids: members.map(({ id }) => id),
    users: members.map((user) => ({
      id: user.id,
      name: user.name,
      email_address: user.email_address,
      avatar_url: avatarUrl(user, ctx),
    })),
    member: Object.hasOwn(group.members, ctx.caller.user.id),
  });
}
