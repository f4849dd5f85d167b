import * as z from 'zod';
import type { Criterion } from '#shared/domain/collaboration/record-lists/criteria.ts';
import {
  keptFilters,
  recordCriteria,
  recordFilters,
  sliceCriteria,
} from '#shared/domain/collaboration/record-lists/filters.ts';
import { type Granted, unlessGranted } from '#shared/domain/collaboration/record-lists/granted.ts';
import { anyOf, several, valuesOf } from '#shared/domain/collaboration/record-lists/several.ts';
import type { KnowsInteractions } from '#shared/domain/collaboration/records/interactions.ts';
import type { TagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import { spaceCriteria } from '#shared/domain/crm/details/memberships.ts';
import { phoneCriteria, phoneFilter } from '#shared/domain/crm/details/phone-filter.ts';
import type { SpacesAhead } from '#shared/domain/crm/details/spaces-ahead.ts';
import { requireOrganization } from '#shared/domain/crm/organizations/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { invalidField } from '#shared/errors.ts';
import { emailAddress, flag, uuid } from '#shared/values.ts';
import { addressHolders } from './addresses.ts';
import type { Contact } from './contact.ts';
import { employedAt, isPinned, unemployed, withAddress } from './criteria.ts';
import type { EmployersAhead } from './employers-ahead.ts';
import { contactIndex } from './lists.ts';
import { contactsSince } from './recent.ts';
import { externalIds } from './writes.ts';

/** The query parameters that list and count contacts (docs/specification/records.md, "Lists of contacts"). */

const slices = ['all', 'mine', 'pinned', 'shared', 'recent', 'unemployed'] as const;

export const contactFilters = {
  slice: z.enum(slices).optional().meta({
    description:
      'mine: owned by the user; shared: shared with the user or one of their groups; recent: written, or met in mail or meetings that the user sees, within 14 days; unemployed: without a current employment',
  }),
  organization_id: several(uuid)
    .optional()
    .meta({ description: 'People with an employment at one of these organizations' }),
  current: flag.optional().meta({
    description: 'With organization_id: whether the employment is current; both when omitted',
  }),
  space_id: uuid
    .optional()
    .meta({ description: 'The people who were added to this space, or carry its tags' }),
  email_address: several(emailAddress)
    .optional()
    .meta({ description: 'The contacts with these addresses', example: 'ada@acme.example' }),
  ...phoneFilter,
  ...recordFilters,
  ...keptFilters,
};

export type ContactFilters = z.output<z.ZodObject<typeof contactFilters>>;

type Ctx = CallerContext<KnowsInteractions>;

function ofSlice(slice: ContactFilters['slice'], ctx: Ctx, known: Known): Criterion<Contact>[] {
  if (slice === 'pinned') return [isPinned(ctx.caller.user)];
  if (slice === 'unemployed') return [unemployed];
  const others = (since: number) => contactsSince(ctx, since, known);
  return sliceCriteria(slice, ctx, { index: contactIndex, others });
}

async function ofOrganization(
  ctx: CallerContext,
  { organization_id, current }: ContactFilters,
  granted: Granted | undefined,
): Promise<Criterion<Contact>[]> {
  if (organization_id !== undefined) {
    const ids = valuesOf(organization_id);
    await unlessGranted(granted, () => Promise.all(ids.map((id) => requireOrganization(ctx, id))));
    return [anyOf(ids.map((id) => employedAt(id, current)))];
  }
  if (current !== undefined) throw invalidField('current', 'invalid', 'needs organization_id');
  return [];
}

/** What is read beside, or taken for granted. */
interface Known {
  tags: Promise<TagDictionary>;
  employers?: EmployersAhead;
  spaces?: SpacesAhead;
  granted?: Granted;
}

/** 404 for a tag that the account does not have, or an organization or a space that the caller does not see. */
export async function contactCriteria(
  ctx: Ctx,
  filters: ContactFilters,
  known: Known,
): Promise<Criterion<Contact>[]> {
  const { tags, granted } = known;
  const { slice, email_address } = filters;
  const held =
    email_address === undefined
      ? []
      : Promise.all(
          valuesOf(email_address).map(async (address) =>
            withAddress(address, await addressHolders.idsOf(ctx, [address])),
          ),
        ).then((each) => [anyOf(each)]);
  const inSpace = spaceCriteria<Contact>(ctx, filters.space_id, { tags, granted });
  const common = recordCriteria(ctx, filters, {
    ...{ index: contactIndex, tags, external_ids: externalIds, granted },
  });
  return [
    ...ofSlice(slice, ctx, known),
    ...phoneCriteria<Contact>(filters.phone_number),
    ...(await Promise.all([held, ofOrganization(ctx, filters, granted), inSpace, ...common])).flat(),
  ];
}
