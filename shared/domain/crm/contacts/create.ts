import { checkedBy, fieldsToCheck } from '#shared/domain/collaboration/custom-fields/check.ts';
import { commitPlan, type Plan } from '#shared/domain/collaboration/records/plan.ts';
import { fitting } from '#shared/domain/crm/details/size.ts';
import type { Organization } from '#shared/domain/crm/organizations/organization.ts';
import type { Caller, CallerContext } from '#shared/domain/identity/caller.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import type { Contact, ContactDraft } from './contact.ts';
import { type Named, withEmployers } from './employers.ts';
import { nameOf } from './name.ts';
import { nothingSent, withSent } from './sent.ts';
import { contactChange } from './writes.ts';

/** What the service sets itself, where it is not the usual. */
export interface Origin {
  id?: string;
  source?: Contact['source'];
}

const sourceOf = ({ credential }: Caller) => (credential.kind === 'api_key' ? 'api' : 'manual');

/** 400 when it is too large. */
export function newContact(
  caller: Caller,
  draft: Named<ContactDraft>,
  now: Date,
  { id = newId(now), source = sourceOf(caller) }: Origin = {},
): Contact {
  const empty: Contact = {
    ...keys.record('contacts', id),
    id,
    account_id: caller.account.id,
    user_id: caller.user.id,
    name: nameOf(draft),
    ...nothingSent,
    source,
    created_at: now.toISOString(),
    updated_at: null,
    shares: {},
  };
  return fitting(withSent(empty, draft, now), 'contact');
}

/** A contact before it is written, with the organizations that are created with it. */
export type ContactPlan = Plan<Contact> & { founded: Organization[] };

/**
 * With the organizations that it names. 404 for one that the caller does not see; 400 for custom fields that are not as
 * defined.
 */
export async function planContact(
  ctx: CallerContext,
  draft: ContactDraft,
  origin: Origin = {},
): Promise<ContactPlan> {
  const [{ sent, founded }, fields] = await Promise.all([
    withEmployers(ctx, draft),
    fieldsToCheck(ctx, 'contacts'),
  ]);
  const planned = checkedBy(fields, undefined, newContact(ctx.caller, sent, ctx.now, origin));
  return {
    before: undefined,
    after: planned,
    founded,
    change: (after = planned) => contactChange(ctx, undefined, after, founded),
  };
}

/** As in `planContact`; 409 as in `contactChange`. */
export async function createContact(ctx: CallerContext<KeepsLists>, draft: ContactDraft): Promise<Contact> {
  return (await commitPlan(ctx, () => planContact(ctx, draft))).after;
}
