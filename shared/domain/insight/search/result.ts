import * as z from 'zod';
import { timestamp, uuid } from '#shared/values.ts';
import { type Result, type Search, search } from './find.ts';
import { searchTypes } from './kind.ts';
import { snippetOf } from './marks.ts';
import { matchedTexts, tellingText } from './texts.ts';
import { scoreOf } from './tiers.ts';

/** What a search returns (docs/specification/search.md). */

const result = z
  .strictObject({
    type: z.enum(searchTypes),
    id: uuid,
    label: z.string().meta({ example: 'Ada Byron' }),
    sublabel: z.string().nullable().meta({ example: 'Analyst, Acme' }),
    snippet: z.string().nullable().meta({ example: '<mark>Ada</mark> Byron' }),
    matched_fields: z.array(z.string().meta({ example: 'name' })),
    score: z.number().meta({ example: 2.642 }),
    occurred_at: timestamp.nullable(),
  })
  .meta({ id: 'SearchResult' });

export const searchSchema = z
  .strictObject({
    query: z.string().meta({ example: 'ada' }),
    page: z.int(),
    limit: z.int(),
    has_more: z.boolean(),
    total: z.int().nullable(),
    results: z.array(result),
  })
  .meta({ id: 'Search' });

/** What tells the results from others, by the record. */
async function sublabelsOf({ ctx, types }: Search, results: Result[]): Promise<Map<unknown, string | null>> {
  const all = await Promise.all(
    types.map(async (type) => {
      const records = results.filter((each) => each.type === type).map(({ record }) => record);
      if (records.length === 0) return [];
      const labels = await ctx.ports.searchables[type].sublabels?.(ctx, records);
      return records.map((record, i) => [record, labels?.[i] ?? null] as const);
    }),
  );
  return new Map(all.flat());
}

export async function presentSearch(asked: Search): Promise<z.input<typeof searchSchema>> {
  const { query, page, limit } = asked;
  const { results, ...found } = await search(asked);
  const sublabels = await sublabelsOf(asked, results);
  return {
    ...{ query: query.text, page, limit, ...found },
    results: results.map((each) => {
      const matched = matchedTexts(each.texts, query);
      return {
        ...{ type: each.type, id: each.id, label: each.label, sublabel: sublabels.get(each.record) ?? null },
        snippet: matched.length > 0 ? snippetOf(tellingText(matched, query), query) : null,
        matched_fields: [...new Set(matched.map(({ field }) => field))],
        score: scoreOf(each),
        occurred_at: new Date(each.moment).toISOString(),
      };
    }),
  };
}
