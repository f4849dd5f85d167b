import { presentTags } from '#shared/domain/collaboration/tags/store.ts';
import { type Around, readAround, spacesOf } from '#shared/domain/crm/details/around.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { type Contact, type ContactExtras, type ContactRecord, presentContact } from './contact.ts';
import { employerIds } from './employer-ids.ts';
import { type EmployersAhead, employersAhead } from './employers-ahead.ts';

/** Contacts as lists and changes show them: without comments, tasks and mail. */
export async function presentContacts(
  ctx: CallerContext,
  contacts: Contact[],
  around: Around & { employers?: EmployersAhead },
  extras: Pick<ContactExtras, 'enrichment'> = {},
): Promise<ContactRecord[]> {
  const [dictionary, employers, spacesIn] = await Promise.all([
    around.tags,
    (around.employers ?? employersAhead(ctx)).of(contacts.flatMap(employerIds)),
    spacesOf(ctx, contacts, around),
  ]);
  return contacts.map((contact) =>
    presentContact(contact, ctx.caller.user, {
      tags: presentTags(dictionary, contact.tag_ids ?? []),
      comments: null,
      tasks: null,
      employers,
      space_ids: spacesIn(contact),
      ...extras,
    }),
  );
}

/** One contact in the same way, after a change: a response must not end before its writes. */
export async function presentOne(
  ctx: CallerContext,
  contact: Contact,
  extras: Pick<ContactExtras, 'enrichment'> = {},
) {
  const [presented] = await presentContacts(ctx, [contact], readAround(ctx), extras);
  return { contact: presented as ContactRecord };
}
