import { checkedBy, fieldsToCheck } from '#shared/domain/collaboration/custom-fields/check.ts';
import { afterChange } from '#shared/domain/collaboration/record-lists/record-change.ts';
import { commitPlan } from '#shared/domain/collaboration/records/plan.ts';
import { requireVisibilityRight } from '#shared/domain/collaboration/records/policy.ts';
import { fitting } from '#shared/domain/crm/details/size.ts';
import type { Organization } from '#shared/domain/crm/organizations/organization.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { invalidField } from '#shared/errors.ts';
import type { Contact, ContactChanges } from './contact.ts';
import type { ContactPlan } from './create.ts';
import { type Named, withEmployers } from './employers.ts';
import { nameOf } from './name.ts';
import { requireEditableContact } from './policy.ts';
import { withSent } from './sent.ts';
import { contactChange } from './writes.ts';

/** A computed name follows its sources; `null` computes it again. */
function nameAfter(before: Contact, after: Contact, sent: string | null | undefined): string {
  const computed = before.name === nameOf({ ...before, name: null });
  const name = nameOf({ ...after, name: sent === undefined && !computed ? before.name : (sent ?? null) });
  if (name === '')
    throw invalidField('name', 'required', 'is required without first_name, last_name and email_addresses');
  return name;
}

/** The changed contact. 400 when nothing would name it, or when its custom fields become too large. */
function changed(before: Contact, changes: Named<ContactChanges>, now: Date): Contact {
  const after = withSent(before, changes, now);
  return { ...after, name: nameAfter(before, after, changes.name) };
}

/** A changed contact, with the organizations to create with it. */
interface Made {
  after: Contact;
  founded?: Organization[];
}

/**
 * What `make` makes of a contact. 404 for one that the caller does not see, 403 for one that the caller may only look at,
 * or may not make private; 400 for custom fields that are not as defined.
 */
export async function planContactChange(
  ctx: CallerContext,
  id: string,
  make: (before: Contact) => Made | Promise<Made>,
): Promise<ContactPlan> {
  const [before, fields] = await Promise.all([
    requireEditableContact(ctx, id),
    fieldsToCheck(ctx, 'contacts'),
  ]);
  const { after: made, founded = [] } = await make(before);
  requireVisibilityRight(before, ctx.caller.user, made.visibility);
  const planned = checkedBy(fields, before, afterChange(before, fitting(made, 'contact'), ctx.now));
  return {
    before,
    after: planned,
    founded,
    change: (after = planned) => contactChange(ctx, before, after, founded),
  };
}

/** The same with changes that follow from the contact. 404 for an employer that the caller does not see. */
export const planContactUpdateBy = (
  ctx: CallerContext,
  id: string,
  changesOf: (before: Contact) => ContactChanges | Promise<ContactChanges>,
) =>
  planContactChange(ctx, id, async (before) => {
    const { sent, founded } = await withEmployers(ctx, await changesOf(before), before);
    return { after: changed(before, sent, ctx.now), founded };
  });

/** As in `planContactUpdateBy`. */
export const planContactUpdate = (ctx: CallerContext, id: string, changes: ContactChanges) =>
  planContactUpdateBy(ctx, id, () => changes);

/** As in `planContactUpdate`; 409 as in `contactChange`. */
export async function updateContact(
  ctx: CallerContext<KeepsLists>,
  id: string,
  changes: ContactChanges,
): Promise<Contact> {
  return (await commitPlan(ctx, () => planContactUpdate(ctx, id, changes))).after;
}
