import { expect } from 'vitest';
import type { TimelineRecord } from '#shared/domain/insight/timeline/entry.ts';
import type { TestUser } from './workspace.ts';

/** Timelines as clients read them. */

export type Entry = TimelineRecord['entries'][number];

type Query = Record<string, string | number>;

export const pageOf = async ({ reader }: TestUser, query: Query = {}): Promise<TimelineRecord> =>
  (await reader.showTimeline({ query: query as never })).body.timeline;

/** All entries, page by page, with what must hold of each page. */
export async function walk(user: TestUser, query: Query = {}, limit = 100): Promise<Entry[]> {
  const found: Entry[] = [];
  let before: string | undefined;
  for (;;) {
    const page = await pageOf(user, { ...query, limit, ...(before ? { before } : {}) });
    expect(page.entries.length).toBeLessThanOrEqual(limit);
    found.push(...page.entries);
    if (page.entries.length === limit || !page.has_more)
      expect(page.oldest_timestamp).toBe(page.entries.at(-1)?.occurred_at ?? null);
    if (!page.has_more) break;
    before = page.oldest_timestamp as string;
  }
  const moments = found.map(({ occurred_at }) => occurred_at);
  expect(moments).toEqual([...new Set(moments)].toSorted().reverse());
  return found;
}

export const typesIn = (entries: Entry[]): string[] => entries.map(({ type }) => type);
