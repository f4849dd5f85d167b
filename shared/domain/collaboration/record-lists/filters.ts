import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import {
  customFieldCriteria,
  customFieldFilter,
  customFieldSort,
  isCustomSort,
} from '#shared/domain/collaboration/custom-fields/filters.ts';
import type { ExternalIds } from '#shared/domain/collaboration/records/external-ids.ts';
import { tagFilters, tagsAlone, tagsNamed } from '#shared/domain/collaboration/tags/filters.ts';
import type { TagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Order } from '#shared/domain/platform/postings/reader.ts';
import { moment, readMoment } from '#shared/moments.ts';
import { requiredText } from '#shared/values.ts';
import {
  amongIds,
  type Criterion,
  earlier,
  inList,
  later,
  matching,
  type Others,
  sharedWith,
  withTags,
} from './criteria.ts';
import type { RecordIndex } from './entry.ts';
import type { Granted } from './granted.ts';
import { ownerList } from './listed.ts';
import { type ListedItem, touchedAt } from './listed-item.ts';
import { notedAfter, notedBefore } from './moments-note.ts';

/** The filters that lists of records have in common (docs/specification/records.md, "Lists of records"). */

const MAX_TEXT = 500;

export const momentFilters = {
  created_after: moment.optional().meta({ description: 'Records that were created after this time' }),
  created_before: moment.optional().meta({ description: 'Records that were created before this time' }),
  updated_after: moment.optional().meta({ description: 'Records that were written after this time' }),
  updated_before: moment.optional().meta({ description: 'Records that were written last before this time' }),
};

export const recordFilters = {
  query: requiredText(MAX_TEXT).optional().meta({
    description: 'Words, each of which matches by its beginning; all must match',
  }),
  ...tagFilters,
  ...momentFilters,
};

export const externalIdFilter = {
  external_id: requiredText(255)
    .optional()
    .meta({ description: 'The record with this id of an integration' }),
};

/** The filters of records that integrations keep values of. */
export const keptFilters = { ...externalIdFilter, ...customFieldFilter };

/** A filter as criteria, all of which a record must meet. */
export type Found<R extends ListedItem> = Criterion<R>[] | Promise<Criterion<R>[]>;

type RecordFilters = Partial<z.output<z.ZodObject<typeof recordFilters & typeof keptFilters>>>;

interface Filtering<R extends ListedItem> {
  index: RecordIndex<R>;
  /** For types with tags. */
  tags?: Promise<TagDictionary>;
  external_ids?: ExternalIds;
  granted?: Granted | undefined;
}

/** Nearly all tags stand for themselves: their lists are read beside the tags. */
async function tagCriterion<R extends ListedItem>(
  { tags: sent = '', tag_operator = 'any' }: RecordFilters,
  tags: Promise<TagDictionary>,
  granted: Granted | undefined,
): Promise<Criterion<R>[]> {
  const named = tags.then((known) => tagsNamed(sent, known));
  if (!granted || granted.isWrong) return withTags(await named, tag_operator);
  const alone = tagsAlone(sent);
  granted.take(named.then((tags) => isDeepStrictEqual(tags, alone)));
  return withTags(alone, tag_operator);
}

type Noting<R extends ListedItem> = Pick<RecordIndex<R>, 'orders' | 'noted_moments'>;

const writtenAfter = <R extends ListedItem>(index: Noting<R>, moment: number): Criterion<R> => ({
  ...later<R>('updated_at', moment, touchedAt),
  ...notedAfter(index, 'written', moment),
});

const writtenBefore = <R extends ListedItem>(index: Noting<R>, moment: number): Criterion<R> => ({
  ...earlier<R>('updated_at', moment, touchedAt),
  ...notedBefore(index, 'written', moment),
});

const createdAt = ({ created_at }: ListedItem) => created_at;

/** Without an order by creation, what was created after a moment was also written after it. */
const createdAfter = <R extends ListedItem>(index: Noting<R>, moment: number): Criterion<R> => ({
  ...later<R>('created_at' in index.orders ? 'created_at' : 'updated_at', moment, createdAt),
  ...('created_at' in index.orders ? {} : { rough: true as const }),
  ...notedAfter(index, 'created', moment),
});

const createdBefore = <R extends ListedItem>(index: Noting<R>, moment: number): Criterion<R> => ({
  ...earlier<R>('created_at', moment, createdAt),
  ...notedBefore(index, 'created', moment),
});

function momentCriteria<R extends ListedItem>(
  { caller: { user } }: Pick<CallerContext, 'caller'>,
  { created_after, created_before, updated_after, updated_before }: RecordFilters,
  index: RecordIndex<R>,
): Criterion<R>[] {
  const ifSent = (sent: string | undefined, criterion: (index: Noting<R>, moment: number) => Criterion<R>) =>
    sent === undefined ? [] : [criterion(index, readMoment(sent, user.time_zone).getTime())];
  return [
    ...ifSent(created_after, createdAfter),
    ...ifSent(created_before, createdBefore),
    ...ifSent(updated_after, writtenAfter),
    ...ifSent(updated_before, writtenBefore),
  ];
}

/** 404 for a tag that the account does not have, 400 and 422 as in `customFieldCriteria`. */
export function recordCriteria<R extends ListedItem & { external_id?: string | null }>(
  ctx: CallerContext,
  filters: RecordFilters,
  { index, tags, external_ids, granted }: Filtering<R>,
): Found<R>[] {
  const { query, external_id, custom_fields } = filters;
  const all: Found<R>[] = [momentCriteria(ctx, filters, index)];
  if (query !== undefined) all.push([matching(index, query)]);
  if (filters.tags !== undefined && tags) all.push(tagCriterion(filters, tags, granted));
  if (external_id !== undefined && external_ids)
    all.push(
      external_ids
        .holder(ctx, external_id)
        .then((id) => [amongIds(id ? [id] : [], (record) => record.external_id === external_id)]),
    );
  if (custom_fields !== undefined)
    all.push(customFieldCriteria(ctx, index, { sent: custom_fields, granted }));
  return all;
}

/** Milliseconds of the slice `recent`. */
const RECENT = 14 * 86_400_000;

/** Records of an index that are written since then, and `others` besides. */
interface Recent<R extends ListedItem> {
  index: Noting<R>;
  others?(since: number): Promise<Others>;
}

function recent<R extends ListedItem>({ now }: CallerContext, { index, others }: Recent<R>): Criterion<R> {
  const since = now.getTime() - RECENT;
  const written = writtenAfter(index, since);
  return others ? { ...written, others: () => others(since) } : written;
}

/**
 * The slices that lists of records have in common. `others` are the records that are recent for another reason since a
 * moment, in milliseconds.
 */
export function sliceCriteria<R extends ListedItem>(
  slice: 'all' | 'mine' | 'shared' | 'recent' | undefined,
  ctx: CallerContext,
  more: Recent<R>,
): Criterion<R>[] {
  const { user } = ctx.caller;
  switch (slice) {
    case 'mine':
      return [inList(ownerList(user.id), ({ user_id }) => user_id === user.id)];
    case 'shared':
      return [sharedWith(user)];
    case 'recent':
      return [recent(ctx, more)];
    default:
      return [];
  }
}

/** `order` when it is omitted: names from the first, moments from the newest. */
export const sorting = <Sort extends string>(sorts: readonly [Sort, ...Sort[]]) => ({
  sort: z
    .enum(sorts)
    .default(sorts[0])
    .meta({ description: `${sorts[0]} when omitted` }),
  order: z.enum(['asc', 'desc']).optional().meta({ description: 'asc when omitted, and desc for moments' }),
});

/** The same for records with custom fields. */
export const sortingByFields = <Sort extends string>(sorts: readonly [Sort, ...Sort[]]) => ({
  ...sorting(sorts),
  sort: fieldSort(sorts),
});

/** One of the orders of a type, the first when omitted, or an indexed custom field. */
export const fieldSort = <Sort extends string>(sorts: readonly [Sort, ...Sort[]]) =>
  z
    .union([z.enum(sorts), customFieldSort])
    .default(sorts[0] as never)
    .meta({ description: `${sorts[0]} when omitted; custom_fields.<key> for an indexed custom field` });

export function orderOf({ sort, order }: { sort: string; order?: Order | undefined }): Order {
  return order ?? (sort.endsWith('_at') && !isCustomSort(sort) ? 'desc' : 'asc');
}
