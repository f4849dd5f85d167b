import { ExternalIds } from '#shared/domain/collaboration/records/external-ids.ts';
import { Holders } from '#shared/domain/collaboration/records/holders.ts';
import { ApiError } from '#shared/errors.ts';
import { foldName } from '#shared/folding.ts';
import { keys } from '#shared/table/keys.ts';
import { ConditionFailed } from '#shared/table/table.ts';
import type { Organization } from './organization.ts';
import { DOMAINS } from './written.ts';

/** What leads to an organization besides its id. */

const inUse = { code: 'taken', message: 'is a domain of another organization' } as const;

/** The organizations with a domain. Hidden ones with it do not count. 409 `domain_taken`. */
export const domainHolders = new Holders<Organization>({
  type: 'organizations',
  key: keys.domain,
  valuesOf: ({ domains }) => domains,
  field: 'domains',
  most: DOMAINS,
  taken: (places) =>
    new ApiError('domain_taken', {
      fields: Object.fromEntries(places.map((i) => [`domains.${i}`, inUse])),
    }),
});

const byName = {
  type: 'organizations' as const,
  key: keys.organizationName,
  valuesOf: ({ name }: Organization) => [foldName(name)],
  field: 'name',
  most: 2,
};

/** The organizations with a name, folded. Several may have one. */
export const nameHolders = new Holders<Organization>(byName);

/** The same, for a new organization whose name was not found: it conflicts with one that was created since. */
export const newNameHolders = new Holders<Organization>({
  ...byName,
  taken: () => new ConditionFailed(undefined),
});

export const externalIds = new ExternalIds('organizations');
