import * as z from 'zod';
import type { Dependent } from '#shared/domain/collaboration/life/dependent.ts';
import { inTransactions } from '#shared/domain/collaboration/life/dependent.ts';
import type { AssistantReply } from '#shared/domain/collaboration/replies/block.ts';
import { shown } from '#shared/domain/crm/details/fields.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import type { Item } from '#shared/table/table.ts';
import { timestamp, uuid } from '#shared/values.ts';

/** What became of a user's last request to complete a contact. It comes from mail of that user, so nobody else sees it. */

export const enrichmentSchema = z
  .strictObject({
    status: z.enum(['pending', 'complete', 'failed']),
    text: shown('A phone number and a job are new.'),
    proposal_ids: z.array(uuid),
    requested_at: timestamp,
    finished_at: timestamp.nullable(),
  })
  .meta({ id: 'Enrichment' });

/** Its id is the one of its job. */
export type StoredEnrichment = Item & {
  id: string;
  reply: AssistantReply;
  requested_at: string;
  finished_at: string | null;
};

/** The caller's own; undefined when there was none. */
export const findEnrichment = ({ table, caller }: CallerContext, contact_id: string) =>
  table.get<StoredEnrichment>(keys.enrichment(contact_id, caller.user.id));

export function presentEnrichment({ reply, requested_at, finished_at }: StoredEnrichment) {
  const proposal_ids = reply.blocks.flatMap((each) => (each.type === 'proposal' ? [each.proposal_id] : []));
  return { status: reply.status, text: reply.text, proposal_ids, requested_at, finished_at };
}

async function* gone(
  { table }: Parameters<Dependent['removing']>[0],
  { type, id }: { type: string; id: string },
) {
  if (type !== 'contacts') return;
  const { PK, SK } = keys.enrichment(id, '');
  for await (const page of table.pages<Item>(PK, SK))
    yield* inTransactions(page.map((item) => ({ delete: keyOf(item) })));
}

/** What was said of a contact that became part of another one is not said of that one. */
export const enrichmentsOfContacts: Dependent = { moving: gone, removing: gone };
