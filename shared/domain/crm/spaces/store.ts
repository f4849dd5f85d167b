import type { Query } from '#shared/domain/collaboration/record-lists/matching.ts';
import { findAllIds, findAllRecords } from '#shared/domain/collaboration/record-lists/whole.ts';
import { tagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import { contactIndex } from '#shared/domain/crm/contacts/lists.ts';
import { addedTo } from '#shared/domain/crm/details/memberships.ts';
import { organizationIndex } from '#shared/domain/crm/organizations/lists.ts';
import type { Organization } from '#shared/domain/crm/organizations/organization.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { spaceIndex } from './lists.ts';
import { noExtras, presentSpace, type Space, type SpaceRecord } from './space.ts';

/** The contacts and organizations of a space that the caller sees, by name; none for a space that is made of tags. */
export async function membersOf(
  ctx: CallerContext,
  { id, kind }: Pick<Space, 'id' | 'kind'>,
): Promise<{ contact_ids: string[]; organization_ids: string[] }> {
  if (kind === 'tags') return { contact_ids: [], organization_ids: [] };
  const [contact_ids, organization_ids] = await Promise.all([
    findAllIds(ctx, { index: contactIndex, criteria: [addedTo<Contact>(id)] }),
    findAllIds(ctx, { index: organizationIndex, criteria: [addedTo<Organization>(id)] }),
  ]);
  return { contact_ids, organization_ids };
}

/** The spaces that the caller sees: by name, archived ones last. */
export async function listSpaces(ctx: CallerContext): Promise<SpaceRecord[]> {
  const query: Query<Space> = { index: spaceIndex, criteria: [], sort: 'name', order: 'asc' };
  const [spaces, dictionary] = await Promise.all([
    findAllRecords(ctx, query),
    tagDictionary(ctx.table, ctx.caller.account.id),
  ]);
  return spaces.map((space) => presentSpace(space, dictionary, noExtras));
}
