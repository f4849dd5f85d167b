import { idList, textList, titleList } from '#shared/domain/collaboration/record-lists/entry.ts';
import { BY_CREATION } from '#shared/domain/collaboration/record-lists/orders.ts';
import { hostName } from '#shared/domain/crm/organizations/domain-name.ts';
import { organizationIndex } from '#shared/domain/crm/organizations/lists.ts';
import { domainHolders, externalIds } from '#shared/domain/crm/organizations/names.ts';
import type { Organization } from '#shared/domain/crm/organizations/organization.ts';
import { searchableRecords } from '../records.ts';
import { addressesIn, idIn, phonesIn, titleIn } from '../texts.ts';
import { holderOf } from './external-id.ts';

/** Organizations in the search over all records. */
export const searchableOrganizations = searchableRecords<Organization>({
  index: () => organizationIndex,
  named: true,
  titles: [{ order: BY_CREATION, named: [titleList] }],
  texts: [{ order: BY_CREATION, named: [titleList, textList, idList] }],
  async holders(ctx, query) {
    const found = await Promise.all([
      hostName.safeParse(query.text).success ? domainHolders.candidates(ctx, [query.text.toLowerCase()]) : [],
      holderOf(ctx, externalIds, query),
    ]);
    return found.flat();
  },
  hit: ({ name, created_at, domains, phone_numbers, external_id }) => ({
    label: name,
    moment: Date.parse(created_at),
    texts: [
      ...titleIn('name', name),
      ...addressesIn('domains', domains),
      ...phonesIn(
        'phone_numbers',
        phone_numbers.map(({ phone_number }) => phone_number),
      ),
      ...idIn('external_id', external_id),
    ],
  }),
  sublabels: async (_, organizations) => organizations.map(({ domains, industry }) => domains[0] ?? industry),
});
