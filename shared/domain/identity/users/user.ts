import * as z from 'zod';
import type { Config } from '#shared/config.ts';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import type { Item } from '#shared/table/table.ts';
import { timestamp, uuid } from '#shared/values.ts';
import { mayAsk } from './may-ask.ts';

export type Role = 'owner' | 'admin' | 'member';

/** A user as stored. Holds what every request needs to know of its user, so that authentication is one read. */
export type User = Item & {
  id: string;
  account_id: string;
  email_address: string;
  name: string;
  first_name: string | null;
  last_name: string | null;
  avatar_url: string | null;
  role: Role;
  status: 'invited' | 'active' | 'deactivated';
  time_zone: string;
  week_starts_on: 'monday' | 'sunday';
  /** Absent while the user is in no group. */
  group_ids?: Set<string>;
  primary_mailbox_id: string | null;
  /**
   * The mailboxes the user may read, with how: the authority for every visibility check. The stored ones are the user's
   * own and those given to the user; those of the user's groups are added when the user is loaded (access.ts).
   */
  mailboxes: Record<string, 'owner' | 'edit' | 'view'>;
  /** Mailboxes that the user's thread lists may hold threads of: those above, and what is still being cleared. */
  indexed_mailboxes: Record<string, true>;
  /** The mailboxes the user owns with label_sync on; absent when there is none. */
  label_sync_mailbox_ids?: Set<string>;
  assistant_enabled: boolean;
  notification_settings: Record<string, { push: boolean; email: boolean }>;
  terms_pending?: boolean;
  created_at: string;
  updated_at: string | null;
};

const capabilities = z.strictObject({
  ask_assistant: z.boolean(),
  manage_account: z.boolean(),
  manage_users: z.boolean(),
  delete_tags: z.boolean(),
  send_email: z.boolean(),
  use_api: z.boolean(),
});

/** Private settings are null on other users (docs/specification/people.md, "Users"). */
export const userRecord = z
  .strictObject({
    id: uuid,
    user_id: uuid,
    name: z.string(),
    first_name: z.string().nullable(),
    last_name: z.string().nullable(),
    email_address: z.string(),
    avatar_url: z.string().nullable(),
    role: z.enum(['owner', 'admin', 'member']),
    status: z.enum(['invited', 'active', 'deactivated']),
    time_zone: z.string(),
    week_starts_on: z.enum(['monday', 'sunday']),
    group_ids: z.array(uuid),
    primary_mailbox_id: uuid.nullable(),
    assistant_enabled: z.boolean().nullable(),
    capabilities: capabilities.nullable(),
    notification_settings: z
      .record(z.string(), z.strictObject({ push: z.boolean(), email: z.boolean() }))
      .nullable(),
    terms_accepted: z.boolean().nullable(),
    created_at: timestamp,
    updated_at: timestamp.nullable(),
  })
  .meta({ id: 'User' });

export function isAdmin(user: Pick<User, 'role'>): boolean {
  return user.role === 'owner' || user.role === 'admin';
}

function capabilitiesOf(
  user: User,
  account: Account,
  config: Pick<Config, 'assistant'>,
): z.infer<typeof capabilities> {
  return {
    ask_assistant: mayAsk({ user, account }, config),
    manage_account: isAdmin(user),
    manage_users: isAdmin(user),
    delete_tags: isAdmin(user),
    send_email: Object.values(user.mailboxes).some((access) => access !== 'view'),
    use_api: account.api_access !== 'disabled',
  };
}

/** A user as the caller sees it. */
export function presentUser(
  user: User,
  caller: { user: User; account: Account },
  config: Pick<Config, 'assistant'>,
): z.infer<typeof userRecord> {
  const own = user.id === caller.user.id;
  return {
    id: user.id,
    user_id: user.id,
    name: user.name,
    first_name: user.first_name,
    last_name: user.last_name,
    email_address: user.email_address,
    avatar_url: user.avatar_url,
    role: user.role,
    status: user.status,
    time_zone: user.time_zone,
    week_starts_on: user.week_starts_on,
    group_ids: [...(user.group_ids ?? [])].sort(),
    primary_mailbox_id: user.primary_mailbox_id,
    assistant_enabled: own ? user.assistant_enabled : null,
    capabilities: own ? capabilitiesOf(user, caller.account, config) : null,
    notification_settings: own ? user.notification_settings : null,
    terms_accepted: own ? user.terms_pending !== true : null,
    created_at: user.created_at,
    updated_at: user.updated_at,
  };
}
