import * as z from 'zod';
import {
  type Criterion,
  matching,
  sharedWith,
  withTags,
} from '#shared/domain/collaboration/record-lists/criteria.ts';
import { recordFilters } from '#shared/domain/collaboration/record-lists/filters.ts';
import { tagsNamed } from '#shared/domain/collaboration/tags/filters.ts';
import type { TagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { readMoment } from '#shared/moments.ts';
import { emailAddress, requiredText } from '#shared/values.ts';
import { holdersOf } from './addresses.ts';
import type { Contact } from './contact.ts';
import { isPinned, ownedBy, unemployed, withAddress, withExternalId, writtenAfter } from './criteria.ts';
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
  external_id: requiredText(255)
    .optional()
    .meta({ description: 'The contact with this id of an integration' }),
};

export type ContactFilters = z.output<z.ZodObject<typeof contactFilters>>;

/** Milliseconds of the slice `recent`. */
const RECENT = 14 * 86_400_000;

function sliceCriteria(
  slice: ContactFilters['slice'],
  { caller: { user }, now }: CallerContext,
): Criterion<Contact>[] {
  switch (slice) {
    case 'mine':
      return [ownedBy(user)];
    case 'pinned':
      return [isPinned(user)];
    case 'shared':
      return [sharedWith(user)];
    case 'recent':
      return [writtenAfter(now.getTime() - RECENT)];
    case 'unemployed':
      return [unemployed];
    default:
      return [];
  }
}

/** 404 for a tag that the account does not have. */
export async function contactCriteria(
  ctx: CallerContext,
  filters: ContactFilters,
  tags: Promise<TagDictionary>,
): Promise<Criterion<Contact>[]> {
  const {
    slice,
    query,
    email_address,
    external_id,
    updated_after,
    tags: tagged,
    tag_operator = 'any',
  } = filters;
  const { account, user } = ctx.caller;
  const all: (Criterion<Contact>[] | Promise<Criterion<Contact>[]>)[] = [sliceCriteria(slice, ctx)];
  if (query !== undefined) all.push([matching(contactIndex, query)]);
  if (updated_after !== undefined)
    all.push([writtenAfter(readMoment(updated_after, user.time_zone).getTime())]);
  if (tagged !== undefined) all.push(tags.then((known) => withTags(tagsNamed(tagged, known), tag_operator)));
  if (email_address !== undefined)
    all.push(holdersOf(ctx, email_address).then((ids) => [withAddress(email_address, ids)]));
  if (external_id !== undefined)
    all.push(
      externalIds
        .find(ctx.table, account.id, [external_id])
        .then((ids) => [withExternalId(external_id, [...ids.values()])]),
    );
  return (await Promise.all(all)).flat();
}
