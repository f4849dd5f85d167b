import * as z from 'zod';
import type { Criterion } from '#shared/domain/collaboration/record-lists/criteria.ts';
import {
  externalIdFilter,
  recordCriteria,
  recordFilters,
  sliceCriteria,
} from '#shared/domain/collaboration/record-lists/filters.ts';
import type { TagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { emailAddress } from '#shared/values.ts';
import { holdersOf } from './addresses.ts';
import type { Contact } from './contact.ts';
import { isPinned, unemployed, withAddress } from './criteria.ts';
import { contactIndex } from './lists.ts';
import { externalIds } from './writes.ts';

/** The query parameters that list and count contacts (docs/specification/records.md, "Lists of contacts"). */

const slices = ['all', 'mine', 'pinned', 'shared', 'recent', 'unemployed'] as const;

export const contactFilters = {
  slice: z.enum(slices).optional().meta({
    description:
      'mine: owned by the user; shared: shared with the user or one of their groups; recent: written within 14 days; unemployed: without a current employment',
  }),
  email_address: emailAddress.optional().meta({ description: 'The contact with this address' }),
  ...recordFilters,
  ...externalIdFilter,
};

export type ContactFilters = z.output<z.ZodObject<typeof contactFilters>>;

function ofSlice(slice: ContactFilters['slice'], ctx: CallerContext): Criterion<Contact>[] {
  if (slice === 'pinned') return [isPinned(ctx.caller.user)];
  return slice === 'unemployed' ? [unemployed] : sliceCriteria(slice, ctx);
}

/** 404 for a tag that the account does not have. */
export async function contactCriteria(
  ctx: CallerContext,
  filters: ContactFilters,
  tags: Promise<TagDictionary>,
): Promise<Criterion<Contact>[]> {
  const { slice, email_address } = filters;
  const held =
    email_address === undefined
      ? []
      : holdersOf(ctx, email_address).then((ids) => [withAddress(email_address, ids)]);
  const common = recordCriteria(ctx, filters, { index: contactIndex, tags, external_ids: externalIds });
  return [...ofSlice(slice, ctx), ...(await Promise.all([held, ...common])).flat()];
}
