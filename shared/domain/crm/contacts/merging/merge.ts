import type { Plan } from '#shared/domain/collaboration/records/plan.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { invalidField } from '#shared/errors.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import type { Contact } from '../contact.ts';
import { requireMergeable } from '../policy.ts';
import { contactMerge } from '../writes.ts';
import type { FieldSides } from './fields.ts';
import { mergedContact, withDependents } from './merged.ts';

export interface Merging {
  /** The contact that survives: `this` in `fields`. */
  into: string;
  /** The one that becomes part of it: `other`. */
  from: string;
  fields: FieldSides;
  /** Writes nothing. */
  dry_run?: boolean;
}

type MergePlan = Plan<Contact> & { before: Contact; gone: Contact };

/**
 * One contact as part of another. 404 and 403 as `requireMergeable`; 400 for a contact and itself, and when both are too
 * much for one.
 */
export async function planMerge(
  ctx: CallerContext,
  { into, from, fields }: Omit<Merging, 'dry_run'>,
): Promise<MergePlan> {
  const [before, gone] = await requireMergeable(ctx, into, from);
  if (before.id === gone.id)
    throw invalidField('contact_id_to_merge', 'invalid', 'is the contact that it would become part of');
  const planned = mergedContact(ctx, before, gone, fields);
  return {
    before,
    after: planned,
    gone,
    change: (after = planned) => contactMerge(ctx, { before, after, gone }),
  };
}

/**
 * Makes one contact part of another, and returns that one as it is once a job has moved what belongs to the other: its
 * comments, tags, tasks and shares. As in `planMerge`.
 */
export function mergeContacts(
  ctx: CallerContext<KeepsLists>,
  { dry_run = false, ...merging }: Merging,
): Promise<Contact> {
  return retryOnConflict(async () => {
    const planned = await planMerge(ctx, merging);
    const change = await planned.change();
    if (!dry_run) await commit(ctx, change);
    return withDependents(planned.after, planned.gone);
  });
}
