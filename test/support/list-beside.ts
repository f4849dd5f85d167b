import { givenSpace, join } from './spaces.ts';
import type { TestUser } from './workspace.ts';

/** What is beside the records of a model of lists, and what filters name: all users see it. */
export interface Beside {
  organization_ids: string[];
  contact_ids: string[];
  /** Of records; of records with any of the tags; with all of them. */
  space_ids: string[];
}

export async function besideOf(
  user: TestUser,
  { tag_ids, organizations, contacts }: { tag_ids: string[]; organizations: number; contacts: number },
): Promise<Beside> {
  const organization_ids: string[] = [];
  for (let i = 0; i < organizations; i++) {
    const body = { organization: { name: `Beside ${i}` } };
    organization_ids.push((await user.api.createOrganization({ body })).body.organization.id);
  }
  const contact_ids: string[] = [];
  for (let i = 0; i < contacts; i++) {
    const body = { contact: { name: `Beside ${i}` } };
    contact_ids.push((await user.api.createContact({ body })).body.contact.id);
  }
  const spaces = [
    await givenSpace(user),
    await givenSpace(user, { kind: 'tags', tag_ids, tag_operator: 'any' }),
    await givenSpace(user, { kind: 'tags', tag_ids, tag_operator: 'all' }),
  ];
  return { organization_ids, contact_ids, space_ids: spaces.map(({ id }) => id) };
}

interface Member {
  type: 'contacts' | 'organizations';
  id: string;
  membership_id: string | undefined;
}

/** Adds a record to the space of records, or takes it out: the membership that it has then. */
export async function addedTo(
  user: TestUser,
  { space_ids: [space_id = ''] }: Beside,
  { type, id, membership_id }: Member,
): Promise<string | undefined> {
  if (membership_id === undefined)
    return (await join(user, space_id, type === 'contacts' ? { contact_id: id } : { organization_id: id }))
      .id;
  await user.api.deleteSpaceMembership({ params: { space_id, id: membership_id } });
  return undefined;
}
