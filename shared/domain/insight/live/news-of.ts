import { describeError, getLogger } from '#shared/log.ts';
import { type Change, readChange, type StreamRecord } from '#shared/table/stream.ts';
import type { LiveKind, News } from './news.ts';

const concerns = ({ partition, sort, removals }: LiveKind, { key, after }: Change): boolean =>
  key.PK.startsWith(partition) && key.SK.startsWith(sort) && !(removals && after);

/** What the records of a stream mean. One that cannot be read is passed over: it would not be readable later either. */
export function newsOf(kinds: readonly LiveKind[], records: readonly StreamRecord[]): News[] {
  return records.flatMap((record) => {
    try {
      const change = readChange(record);
      return kinds.filter((kind) => concerns(kind, change)).flatMap((kind) => kind.news(change));
    } catch (error) {
      getLogger().error('change not understood', { error: describeError(error) });
      return [];
    }
  });
}
