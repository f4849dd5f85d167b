import * as z from 'zod';
import type { Config } from '#shared/config.ts';
import type { Called } from '#shared/context.ts';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import { isOutstanding } from '#shared/domain/identity/terms/outstanding.ts';
import { apart, derived, given, resource, type StoredFields } from '#shared/resource.ts';
import type { Item } from '#shared/table/table.ts';
import { timeZone } from '#shared/time-zone.ts';
import { clearableLine, emailAddress, nameText, timestamp, uuid } from '#shared/values.ts';
import { avatarUrl } from './avatar.ts';
import { isAdmin, mayAsk } from './policy.ts';
import { primaryOf } from './primary.ts';

const capabilities = z.strictObject({
  ask_assistant: z.boolean(),
  manage_account: z.boolean(),
  manage_users: z.boolean(),
  delete_tags: z.boolean(),
  send_email: z.boolean(),
  use_api: z.boolean(),
});

const weekStart = z.enum(['monday', 'sunday']);

const digest = z.enum(['none', 'hourly']);

const setting = z.strictObject({ push: z.boolean(), email: z.boolean() });

/** A transaction writes each of them, and two jobs for it. */
const MAX_INVITED_GROUPS = 25;

const role = z.enum(['owner', 'admin', 'member']);

/** Set by the service at first, and changed by requests. */
const changed = <Written extends z.ZodType, Shown extends z.ZodType>(written: Written, shown: Shown) => ({
  ...given(shown),
  change: written.optional(),
});

/** Said by the invitation, and not changed by requests. */
const invited = <Written extends z.ZodType, Shown extends z.ZodType>(written: Written, shown: Shown) => ({
  ...given(shown),
  draft: written,
});

const users = resource('User', {
  id: given(uuid),
  user_id: derived(uuid),
  name: invited(nameText(255).optional(), z.string()),
  first_name: changed(clearableLine(255), z.string().nullable()),
  last_name: changed(clearableLine(255), z.string().nullable()),
  email_address: invited(emailAddress, z.string()),
  avatar_url: derived(z.string().nullable()),
  role: { ...changed(role, role), draft: role.default('member') },
  status: changed(z.enum(['active', 'deactivated']), z.enum(['invited', 'active', 'deactivated'])),
  time_zone: changed(timeZone, z.string()),
  week_starts_on: changed(weekStart, weekStart),
  group_ids: apart(invited(z.array(uuid).max(MAX_INVITED_GROUPS).default([]), z.array(uuid))),
  primary_mailbox_id: apart(changed(uuid.nullable(), uuid.nullable())),
  assistant_enabled: apart(changed(z.boolean(), z.boolean().nullable())),
  capabilities: derived(capabilities.nullable()),
  notification_settings: apart(given(z.record(z.string(), setting).nullable())),
  notification_digest: apart(changed(digest, digest.nullable())),
  terms_accepted: derived(z.boolean().nullable()),
  created_at: given(timestamp),
  updated_at: given(timestamp.nullable()),
});

/**
 * A user as stored, with everything that each request needs to know about its user, so that authentication is one read.
 */
export type User = Item &
  StoredFields<typeof users.fields> & {
    account_id: string;
    /** Null, or missing, without a picture. */
    avatar_id?: string | null;
    /** Missing while the user is in no group. */
    group_ids?: Set<string>;
    /**
     * The mailboxes that the user may read, and how: the authority for every visibility check. The stored ones are the
     * user's own and those shared with the user; those of the user's groups are added when the user is loaded
     * (access.ts).
     */
    mailboxes: Record<string, 'owner' | 'edit' | 'view'>;
    /** Mailboxes whose threads may be in the user's lists: those above, and those that are still being removed. */
    indexed_mailboxes: Record<string, true>;
    /** The mailboxes the user owns with label_sync on; missing when there is none. */
    label_sync_mailbox_ids?: Set<string>;
    /** The devices that receive push messages of the user; missing when there is none. */
    device_ids?: Set<string>;
    assistant_enabled: boolean;
    /** Also one that the user may no longer read (primary.ts). */
    primary_mailbox_id: string | null;
    notification_settings: Record<string, z.output<typeof setting>>;
    /** Missing in users who never chose. */
    notification_digest?: z.output<typeof digest>;
    /** Has to accept the terms again, whatever was accepted. */
    terms_pending?: boolean;
    /** The accepted versions of documents, by slug. */
    terms?: Record<string, string>;
    /** When the user completed the first steps; missing until then. */
    initialized_at?: string;
    /** Was invited, and never signed in. */
    joining?: true;
    /** Who took over when the user left; null, or missing, for the owner of the account. */
    heir_id?: string | null;
    /** Credentials of before are refused: the least id of later ones. */
    credentials_from?: string;
  };

/** Private settings are null on other users (docs/specification/people.md, "Users"). */
export const userSchema = users.response;

/** The settings of notifications are the matter of `notifications`, and join in the route. */
export const userChanges = users.changes.extend({ avatar_upload_id: uuid.nullable().optional() });

export const userDraft = users.strictDraft.meta({ id: 'UserDraft' });

export type Invitation = z.output<typeof userDraft>;

type Setting = z.output<typeof setting>;

export type UserChanges = Omit<z.output<typeof userChanges>, 'notification_settings'> & {
  notification_settings?: { [event: string]: Setting | null | undefined } | undefined;
};

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
  ctx: Called & { config: Pick<Config, 'assistant' | 'terms'> },
): z.infer<typeof userSchema> {
  const { config } = ctx;
  const own = user.id === caller.user.id;
  return users.present(user, {
    user_id: user.id,
    avatar_url: avatarUrl(user, ctx),
    group_ids: [...(user.group_ids ?? [])].sort(),
    primary_mailbox_id: primaryOf(user),
    assistant_enabled: own ? user.assistant_enabled : null,
    capabilities: own ? capabilitiesOf(user, caller.account, config) : null,
    notification_settings: own ? user.notification_settings : null,
    notification_digest: own ? (user.notification_digest ?? 'none') : null,
    terms_accepted: own ? !isOutstanding(user, config) : null,
  });
}
