import { upsert } from '#shared/domain/collaboration/records/upsert.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import type { ContactDraft } from './contact.ts';
import { type ContactPlan, planContact } from './create.ts';
import { requireContact } from './policy.ts';
import { planContactUpdate } from './update.ts';
import { externalIds } from './writes.ts';

/** Creates a contact, or changes the one with this external id. As in `upsert`, `planContact` and `planContactUpdate`. */
export const upsertContact = (ctx: CallerContext<KeepsLists>, draft: ContactDraft): Promise<ContactPlan> =>
  upsert(ctx, {
    external_ids: externalIds,
    external_id: draft.external_id,
    create: () => planContact(ctx, draft),
    update: (id) => planContactUpdate(ctx, id, draft),
    require: (id) => requireContact(ctx, id),
  });
