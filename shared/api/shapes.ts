import * as z from 'zod';
import { countCap, type countSchema, pageSize } from '#shared/values.ts';

/** Response shapes that families share (docs/specification/requests.md, "Lists" and "Counts"). */

const pageInfo = z
  .strictObject({
    limit: z.int(),
    next_cursor: z.string().nullable(),
    prev_cursor: z.string().nullable(),
    has_more_after: z.boolean(),
    has_more_before: z.boolean(),
  })
  .meta({
    id: 'PageInfo',
    example: {
      limit: 50,
      next_cursor: 'q1mPbTtDYwZo3kX8VnS4lA',
      prev_cursor: null,
      has_more_after: true,
      has_more_before: false,
    },
  });

const filters = z.record(z.string(), z.unknown()).nullable();

/** A cursor collection. Only contacts, organizations and files add `sort` and `order`. */
export function cursorCollection<T extends z.ZodType>(record: T) {
  return z.strictObject({
    records: z.array(record),
    page_info: pageInfo,
    filters,
    slice_key: z.string().nullable(),
  });
}

export function sortedCursorCollection<T extends z.ZodType>(record: T) {
  return cursorCollection(record).extend({ sort: z.string().nullable(), order: z.string().nullable() });
}

/** A list that is returned whole: page 1 of 1. */
export function wholeCollection<T extends z.ZodType>(record: T) {
  return z.strictObject({
    records: z.array(record),
    page: z.literal(1),
    per_page: z.int(),
    total_results: z.int(),
    pages: z.literal(1),
  });
}

export function whole<T>(records: T[]) {
  return {
    records,
    page: 1 as const,
    per_page: records.length,
    total_results: records.length,
    pages: 1 as const,
  };
}

/** A list by page numbers. */
export function pageCollection<T extends z.ZodType>(record: T) {
  return z.strictObject({
    records: z.array(record),
    page: z.int(),
    per_page: z.int(),
    total_results: z.int(),
    pages: z.int(),
    filters,
    sort: z.string(),
    order: z.enum(['asc', 'desc']),
  });
}

/** The paging parameters of a list by page numbers. */
export const pageNumbers = {
  page: pageSize(Number.MAX_SAFE_INTEGER).default(1).meta({ description: 'From 1' }),
  per_page: pageSize(100).default(50),
};

interface Page {
  page: number;
  per_page: number;
}

/** Where a page is among all. */
export function pagesOf(total_results: number, { page, per_page }: Page) {
  return { page, per_page, total_results, pages: Math.max(1, Math.ceil(total_results / per_page)) };
}

/** One page of a complete list; pages after the last are empty. */
export function pageOf<T>(all: T[], { page, per_page }: Page) {
  const start = (page - 1) * per_page;
  return { records: all.slice(start, start + per_page), ...pagesOf(all.length, { page, per_page }) };
}

/** The query parameter of a count, beside the filters of its list. */
export const countUpTo = {
  cap: countCap.optional().meta({ description: 'Counting stops here', example: 1_000 }),
};

export function exactCount(total: number): z.infer<typeof countSchema> {
  return { total, exact: true, capped: false, cap: null };
}

/** The page info of a forward-only list. */
export function forwardPage(limit: number, next_cursor: string | null) {
  return {
    limit,
    next_cursor,
    prev_cursor: null,
    has_more_after: next_cursor !== null,
    has_more_before: false,
  };
}

/** The parsed filters of a query, without the parameters for paging and sorting; null when there are none. */
export function sentFilters(query: Record<string, unknown>): Record<string, unknown> | null {
  const paging = new Set([
    'slice',
    'next_cursor',
    'prev_cursor',
    'limit',
    'page',
    'per_page',
    'sort',
    'order',
  ]);
  const sent = Object.entries(query).filter(([name, value]) => value !== undefined && !paging.has(name));
  return sent.length === 0 ? null : Object.fromEntries(sent);
}

/** The paging parameter of a forward list. `prev_cursor` is refused before validation. */
export const forwardCursor = {
  next_cursor: z.string().min(1).optional().meta({ description: 'Cursor of the next page' }),
};

/** The paging parameters of a list that is read in both directions. */
export const cursorsBothWays = {
  ...forwardCursor,
  prev_cursor: z.string().min(1).optional().meta({ description: 'Cursor of the previous page' }),
};

export function pageBothWays(
  limit: number,
  { next_cursor, prev_cursor }: { next_cursor: string | null; prev_cursor: string | null },
) {
  return {
    limit,
    next_cursor,
    prev_cursor,
    has_more_after: next_cursor !== null,
    has_more_before: prev_cursor !== null,
  };
}

export const okResponse = { ok: z.literal('ok') };
export const ok = { ok: 'ok' as const };
