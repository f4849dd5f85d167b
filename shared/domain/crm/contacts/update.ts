import { afterChange } from '#shared/domain/collaboration/record-lists/record-change.ts';
import { requireVisibilityRight } from '#shared/domain/collaboration/records/policy.ts';
import { fitting } from '#shared/domain/crm/details/size.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { invalidField } from '#shared/errors.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import type { Contact, ContactChanges } from './contact.ts';
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

/**
 * The changed contact, for `contactChange`; the same object when nothing changed. 400 when nothing would name it, or
 * when it is too large.
 */
export function changeContact(before: Contact, changes: Named<ContactChanges>, now: Date): Contact {
  const changed = withSent(before, changes, now);
  const after = fitting({ ...changed, name: nameAfter(before, changed, changes.name) }, 'contact');
  return afterChange(before, after, now);
}

/**
 * 404 for a contact, or an employer, that the caller does not see, 403 for a contact that the caller may only look at;
 * 409 as in `contactChange`.
 */
export function updateContact(
  ctx: CallerContext<KeepsLists>,
  id: string,
  changes: ContactChanges,
): Promise<Contact> {
  return retryOnConflict(async () => {
    const before = await requireEditableContact(ctx, id);
    if (changes.visibility !== undefined) requireVisibilityRight(before, ctx.caller.user, changes.visibility);
    const { sent, founded } = await withEmployers(ctx, changes, before);
    const after = changeContact(before, sent, ctx.now);
    await commit(ctx, await contactChange(ctx, before, after, founded));
    return after;
  });
}
