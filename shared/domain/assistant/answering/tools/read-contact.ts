import { listRecordComments } from '#shared/domain/collaboration/comments/store.ts';
import { presentTags, tagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import { employersOf } from '#shared/domain/crm/contacts/employers.ts';
import { requireContact } from '#shared/domain/crm/contacts/policy.ts';
import type { ContactRow, ContactView } from '../views.ts';
import { commentViews, shorten } from './comments.ts';
import { give, type ToolContext } from './context.ts';
import { threadRows } from './thread-rows.ts';

const THREADS = 10;
const DESCRIPTION = 2_000;

export function contactRow(contact: Contact): ContactRow {
  return {
    id: contact.id,
    name: contact.name,
    headline: contact.headline,
    email_addresses: contact.email_addresses.map(({ email_address }) => email_address),
  };
}

/** 404 for a contact that the user does not see. */
export async function readContact(ctx: ToolContext, id: string): Promise<ContactView> {
  const contact = await requireContact(ctx, id);
  give(ctx, 'contact', [contact.id]);
  const [dictionary, comments, threads, employers] = await Promise.all([
    tagDictionary(ctx.table, ctx.caller.account.id),
    listRecordComments(ctx, { type: 'contacts', id }),
    threadRows(ctx, { contact_id: id }, THREADS),
    employersOf(ctx, [contact]),
  ]);
  return {
    ...contactRow(contact),
    type: 'contact',
    nickname: contact.nickname,
    description: contact.description && shorten(contact.description, DESCRIPTION),
    phone_numbers: contact.phone_numbers.map(({ phone_number }) => phone_number),
    employments: contact.employments.map(({ title, organization, current }) => ({
      title,
      organization: employers.get(organization?.id ?? '')?.name ?? null,
      current,
    })),
    birthday: contact.birthday,
    time_zone: contact.time_zone,
    tags: presentTags(dictionary, contact.tag_ids ?? []).map(({ name }) => name),
    threads,
    comments: await commentViews(ctx, comments),
  };
}
