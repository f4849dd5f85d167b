import { ENTRIES } from '#shared/domain/crm/details/written.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { invalidField } from '#shared/errors.ts';
import type { ContactPlan } from './create.ts';
import { withEmployers } from './employers.ts';
import { employmentOf, type SentEmployment } from './entries.ts';
import { planContactChange } from './update.ts';

/** A contact with one more job, after its others. As in `planContactUpdate`. */
export const planEmployment = (
  ctx: CallerContext,
  id: string,
  employment: SentEmployment,
): Promise<ContactPlan> =>
  planContactChange(ctx, id, async (before) => {
    if (before.employments.length >= ENTRIES)
      throw invalidField('organization', 'too_long', `a contact has at most ${ENTRIES} employments`);
    const { visibility } = before;
    const { sent, founded } = await withEmployers(ctx, { employments: [employment], visibility });
    const added = (sent.employments ?? []).map((each) => employmentOf(each, ctx.now));
    return { after: { ...before, employments: [...before.employments, ...added] }, founded };
  });
