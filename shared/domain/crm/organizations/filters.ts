import * as z from 'zod';
import { amongIds, type Criterion, type Others } from '#shared/domain/collaboration/record-lists/criteria.ts';
import {
  keptFilters,
  recordCriteria,
  recordFilters,
  sliceCriteria,
} from '#shared/domain/collaboration/record-lists/filters.ts';
import type { Granted } from '#shared/domain/collaboration/record-lists/granted.ts';
import { anyOf, several, valuesOf } from '#shared/domain/collaboration/record-lists/several.ts';
import type { TagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import { spaceCriteria } from '#shared/domain/crm/details/memberships.ts';
import { phoneCriteria, phoneFilter } from '#shared/domain/crm/details/phone-filter.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { uuid } from '#shared/values.ts';
import { hostName } from './domain-name.ts';
import { organizationIndex } from './lists.ts';
import { domainHolders, externalIds } from './names.ts';
import type { Organization } from './organization.ts';

/** The query parameters that list and count organizations (docs/specification/records.md, "Lists of organizations"). */

const slices = ['all', 'mine', 'shared', 'recent'] as const;

export const organizationFilters = {
  slice: z.enum(slices).optional().meta({
    description:
      'mine: owned by the user; shared: shared with the user or one of their groups; recent: written, or its people met in mail or meetings that the user sees, within 14 days',
  }),
  contact_id: uuid.optional().meta({ description: 'The organizations that employ or employed this contact' }),
  space_id: uuid
    .optional()
    .meta({ description: 'Organizations that were added to this space, or carry its tags' }),
  domain: several(hostName)
    .optional()
    .meta({ description: 'The organizations with these domains', example: 'acme.example' }),
  ...phoneFilter,
  ...recordFilters,
  ...keptFilters,
};

export type OrganizationFilters = z.output<z.ZodObject<typeof organizationFilters>>;

async function withDomains(ctx: CallerContext, sent: string): Promise<Criterion<Organization>[]> {
  const each = valuesOf(sent).map(async (domain) => {
    const ids = await domainHolders.idsOf(ctx, [domain]);
    return amongIds<Organization>(ids, ({ domains }) => domains.includes(domain));
  });
  return [anyOf(await Promise.all(each))];
}

interface Finding {
  tags: Promise<TagDictionary>;
  /** The organizations of a contact's employments. */
  employersOf(contact_id: string): Promise<string[]>;
  /** The organizations whose people the caller met since a moment, in milliseconds. */
  metSince(since: number): Promise<Others>;
  granted?: Granted;
}

/** 404 for a tag that the account does not have, or a space that the caller does not see. */
export async function organizationCriteria(
  ctx: CallerContext,
  filters: OrganizationFilters,
  { tags, employersOf, metSince, granted }: Finding,
): Promise<Criterion<Organization>[]> {
  const { slice, domain, contact_id } = filters;
  const held = domain === undefined ? [] : withDomains(ctx, domain);
  const employing =
    contact_id === undefined
      ? []
      : employersOf(contact_id).then((ids) => [amongIds<Organization>(ids, ({ id }) => ids.includes(id))]);
  const inSpace = spaceCriteria<Organization>(ctx, filters.space_id, { tags, granted });
  const common = recordCriteria(ctx, filters, {
    index: organizationIndex,
    tags,
    external_ids: externalIds,
    granted,
  });
  return [
    ...sliceCriteria(slice, ctx, { index: organizationIndex, others: metSince }),
    ...phoneCriteria<Organization>(filters.phone_number),
    ...(await Promise.all([held, employing, inSpace, ...common])).flat(),
  ];
}
