import { organizationIndex } from '#shared/domain/crm/organizations/lists.ts';
import type { Organization } from '#shared/domain/crm/organizations/organization.ts';
import { DOMAIN, valuesOf } from './around.ts';
import {
  by,
  few,
  fieldFilter,
  fieldSorts,
  half,
  isJoined,
  noFilter,
  plainly,
  sorted,
  spaces,
  tags,
  words,
} from './asking.ts';
import { type Copied, storedRecord } from './copies.ts';
import type { Family } from './families.ts';
import { among } from './world.ts';

/** Organizations of the world, and what is asked of their lists. */

const SHARE = 0.2;
const MEMBERS = 55;

const copied: Copied<Organization> = {
  share: SHARE,
  index: organizationIndex,
  tagged: true,
  idOf: (number, { world }) => world.around?.employers[number + 1],
  async model({ api }, table) {
    const { organization } = (await api.createOrganization({ body: { organization: { name: 'Model' } } }))
      .body;
    return storedRecord(table, 'organizations', organization.id);
  },
  own(number, { rows, place: { world } }) {
    const [space] = world.around?.spaces ?? [];
    const isMember = number % Math.max(1, Math.floor(rows / MEMBERS)) === 0;
    const created_at = new Date(world.now).toISOString();
    return {
      custom_fields: valuesOf(number, among(number, rows, 0.01)),
      external_id: `organization-${number}`,
      ...(space && isMember
        ? { memberships: { [space]: { id: space, user_id: world.user_id, created_at } } }
        : {}),
    };
  },
};

export const organizations: Family = {
  name: 'organizations',
  share: SHARE,
  copied: copied as never,
  list: ({ api }, query) => api.listOrganizations({ query: query as never }),
  pages: [
    noFilter,
    ...plainly({ slice: 'mine' }, { slice: 'shared' }, { slice: 'recent' }),
    ...words,
    ...tags,
    ...spaces,
    by('contact_id', ({ world }) => world.contact_id),
    by('domain', () => DOMAIN),
    by('external_id', () => 'asked'),
    fieldFilter,
    ...half,
    ...few,
    ...plainly(
      { order: 'desc' },
      { sort: 'created_at' },
      { sort: 'updated_at' },
      { sort: 'last_interaction_at' },
    ),
    ...fieldSorts,
    ...sorted(words, { sort: 'created_at' }),
    ...sorted(half.slice(2), { sort: 'updated_at' }),
    ...sorted(half.slice(0, 2), { sort: 'created_at' }),
  ],
  hard: sorted(words.filter(isJoined), { sort: 'updated_at' }),
  depths: [500, 5_000],
};
