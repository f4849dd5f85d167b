import type { RecordIndex } from '#shared/domain/collaboration/record-lists/entry.ts';
import { readMatching } from '#shared/domain/collaboration/record-lists/matching.ts';
import type { GuardedItem, SeesLink } from '#shared/domain/collaboration/records/policy.ts';
import { isIndexed } from './indexed.ts';
import type { Hit, ListContext, Searchable, SearchContext } from './kind.ts';
import type { SearchQuery } from './query.ts';
import { type Lists, recordSource } from './record-source.ts';
import { TIER } from './tiers.ts';

/** Records with a visibility, whose words have lists (collaboration/record-lists). */

type Where<R extends GuardedItem> = Omit<Lists<R>, 'index' | 'tier'>;

type Own = 'holders' | 'around' | 'sublabels';

interface RecordSearch<R extends GuardedItem> extends Pick<Searchable<R>, Own> {
  index(ctx: SearchContext): RecordIndex<R>;
  /** Titles are names; otherwise subjects. */
  named?: true;
  /** The lists of titles, and those of titles and other texts. */
  titles: Where<R>[];
  texts: Where<R>[];
  seesLink?(ctx: SearchContext): SeesLink<R>;
  hit(record: R): Pick<Hit, 'label' | 'moment' | 'texts'>;
}

export function searchableRecords<R extends GuardedItem>(kind: RecordSearch<R>): Searchable<R> {
  const { named = false, titles, texts, holders, around, sublabels } = kind;
  const sources =
    (lists: Where<R>[], tier: Lists<R>['tier']) => (ctx: ListContext, query: SearchQuery, wanted: number) =>
      isIndexed(query, wanted)
        ? []
        : lists.map((each) => recordSource(ctx, { ...each, index: kind.index(ctx), tier }, query, wanted));
  return {
    named,
    titled: sources(titles, named ? TIER.name : TIER.title),
    mentioning: sources(texts, TIER.text),
    async read(ctx, ids) {
      const seesLink = kind.seesLink?.(ctx);
      const all = { index: kind.index(ctx), criteria: [], ...(seesLink ? { seesLink } : {}) };
      const records = await readMatching(ctx, all, ids);
      return records.map((record) => ({ id: record.id, record, ...kind.hit(record) }));
    },
    ...(holders ? { holders } : {}),
    ...(around ? { around } : {}),
    ...(sublabels ? { sublabels } : {}),
  };
}
