import { listRecordComments } from '#shared/domain/collaboration/comments/store.ts';
import type { KnowsInteractions } from '#shared/domain/collaboration/records/interactions.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { ShowsReplies } from '#shared/domain/collaboration/replies/present.ts';
import { presentTags } from '#shared/domain/collaboration/tags/store.ts';
import { readAround, spacesOf } from '#shared/domain/crm/details/around.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { listTasksOf } from '#shared/domain/work/tasks/store.ts';
import { type ContactRecord, presentContact } from './contact.ts';
import { employersOf } from './employers.ts';
import { findEnrichment } from './enrichment.ts';
import { requireContact } from './policy.ts';

/** With its comments, its tasks and what is known of its mail. 404 for a contact that the caller does not see. */
export async function retrieveContact(
  ctx: CallerContext<SeesRecords & ShowsReplies & KnowsInteractions>,
  id: string,
): Promise<ContactRecord> {
  const contact = await requireContact(ctx, id);
  const record = { type: 'contacts', id: contact.id } as const;
  const addresses = contact.email_addresses.map(({ email_address }) => email_address);
  const around = readAround(ctx);
  const [dictionary, comments, tasks, employers, spacesIn, mail, enrichment] = await Promise.all([
    around.tags,
    listRecordComments(ctx, record),
    listTasksOf(ctx, record),
    employersOf(ctx, [contact]),
    spacesOf(ctx, [contact], around),
    ctx.ports.interactionsWith(ctx, addresses),
    findEnrichment(ctx, contact.id),
  ]);
  const tags = presentTags(dictionary, contact.tag_ids ?? []);
  const extras = { tags, comments, tasks, employers, space_ids: spacesIn(contact), mail, enrichment };
  return presentContact(contact, ctx.caller.user, extras);
}
