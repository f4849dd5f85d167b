import * as z from 'zod';
import {
  type Billing,
  type BillingReference,
  billingSchema,
} from '#shared/domain/identity/billing/billing.ts';
import { apart, derived, given, optional, required, resource, type StoredFields } from '#shared/resource.ts';
import type { Item } from '#shared/table/table.ts';
import { timeZone } from '#shared/time-zone.ts';
import { currency, nameText, timestamp, uuid } from '#shared/values.ts';

const apiAccess = z.enum(['enabled', 'read_only', 'disabled']);

const features = z.strictObject({ ask_assistant: z.boolean() }).meta({ id: 'AccountFeatures' });
const changedFeatures = z
  .object({ ask_assistant: z.boolean().optional() })
  .meta({ id: 'AccountFeatureChanges' });

const accounts = resource('Account', {
  id: given(uuid),
  name: required(nameText(255), z.string().meta({ example: 'Acme' })),
  owner_user_id: given(uuid),
  api_access: required(apiAccess, apiAccess),
  features: { ...required(features, features), change: changedFeatures.optional() },
  default_currency: apart(optional(currency.nullish(), currency.nullable())),
  time_zone: apart(required(timeZone, timeZone)),
  billing: derived(billingSchema),
  created_at: given(timestamp),
  updated_at: given(timestamp.nullable()),
});

/** An account as stored. */
export type Account = Item &
  StoredFields<typeof accounts.fields> & {
    status: 'active' | 'closed';
    /** Missing while the account is active. */
    closed_at?: string;
    /** Its data is being erased: it cannot be opened again. */
    erasing?: true;
    /** Of deals without a currency of their own or of their pipeline; missing while there is none. */
    default_currency?: string | null;
    /** Of new users; missing in accounts that are older than the field. */
    time_zone?: string;
    /** The active owners, the oldest first; missing while `owner_user_id` is the only one. */
    owner_user_ids?: string[];
    /** It has, or had, definitions of custom fields. */
    has_custom_fields?: true;
    /** Missing where nobody pays. */
    billing_reference?: BillingReference;
    /** A user of it has, or had, a device that receives push messages. */
    has_devices?: true;
    /** A user of it wants, or wanted, notifications by mail. */
    has_notification_mail?: true;
  };

/** docs/specification/people.md, "Accounts". */
export const accountSchema = accounts.response;

export const accountChanges = accounts.changes.meta({ id: 'AccountChanges' });

export type AccountChanges = z.output<typeof accountChanges>;

/** Every account has an hour of the day. */
export const timeZoneOf = ({ time_zone = 'Etc/UTC' }: Pick<Account, 'time_zone'>) => time_zone;

export function presentAccount(account: Account, billing: Billing): z.infer<typeof accountSchema> {
  return accounts.present(account, {
    default_currency: account.default_currency ?? null,
    time_zone: timeZoneOf(account),
    billing,
  });
}
