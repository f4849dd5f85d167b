import type { OrganizationRecord } from '#shared/domain/crm/organizations/organization.ts';
import type { TestUser } from './workspace.ts';

let made = 0;

export async function givenOrganization(user: TestUser, draft: object = {}): Promise<OrganizationRecord> {
  made += 1;
  const organization = { name: `Organization ${made}`, ...draft };
  return (await user.api.createOrganization({ body: { organization } })).body.organization;
}

export const readOrganization = async (user: TestUser, id: string) =>
  (await user.reader.retrieveOrganization({ params: { id } })).body.organization;

export const organizationsOf = async (user: TestUser, query: object = {}) =>
  (await user.reader.listOrganizations({ query })).body.collection.records;
