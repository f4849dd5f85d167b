import { presentTags, type TagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { type Contact, type ContactRecord, presentContact } from './contact.ts';
import { employersOf } from './employers.ts';

/** Contacts as lists and changes show them: without comments, tasks and mail. */
export async function presentContacts(
  ctx: CallerContext,
  contacts: Contact[],
  tags: TagDictionary | Promise<TagDictionary>,
): Promise<ContactRecord[]> {
  const [dictionary, employers] = await Promise.all([tags, employersOf(ctx, contacts)]);
  return contacts.map((contact) =>
    presentContact(contact, ctx.caller.user, {
      tags: presentTags(dictionary, contact.tag_ids ?? []),
      comments: null,
      tasks: null,
      employers,
    }),
  );
}

/** One contact in the same way. Read `tags` after a change: a response must not end before its writes. */
export async function presentOne(ctx: CallerContext, contact: Contact, tags: Promise<TagDictionary>) {
  const [presented] = await presentContacts(ctx, [contact], tags);
  return { contact: presented as ContactRecord };
}
