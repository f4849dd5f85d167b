import { type RecordType, rankedTime, timeRank } from '#shared/table/keys.ts';
import { type ListEntry, type Listed, listName } from './entry.ts';
import { rankedValue, rankOf } from './ranks.ts';

/**
 * A record that ended, by deletion or by a merge, leaves all lists and comes into one of ended records, of those owners
 * whose lists had it: so who saw the record learns that it is gone, and nobody else does (docs/decisions/0055).
 */

const ENDED = 'ended';

/** Milliseconds for which ended records are listed. */
export const ENDED_KEPT = 90 * 86_400_000;

/** In the order in which they ended. */
export const endedList = (type: RecordType) => listName(type, ENDED, ENDED);

export const isEndedListed = ({ lists }: Listed) => lists[0] === ENDED;

/** The rank of a moment, in milliseconds. */
export const endedRank = (moment: number, id: string) => rankOf(timeRank(moment), id);

export const momentOf = (rank: string) => rankedTime(rankedValue(rank));

export const endedMoment = ({ ranks }: Listed) => momentOf(ranks[ENDED] ?? '');

const endedAt = (moment: number, id: string): Listed => ({
  ranks: { [ENDED]: endedRank(moment, id) },
  lists: [ENDED],
  words: [],
  words_by: ENDED,
});

interface Place {
  id: string;
  /** Undefined when nothing is known of the record any more. */
  account_id: string | undefined;
  /** Milliseconds: when the lists change, so that no list gets a moment that its readers have passed. */
  moment: number;
}

/** By owner. Where the account's lists had it, those of users had it besides. */
export function endedListed(entries: ListEntry[], { id, account_id, moment }: Place): Map<string, Listed> {
  const common = entries.filter(({ owner }) => owner === account_id);
  const told = common.length > 0 ? common : entries;
  return new Map(
    told.flatMap(({ owner, listed }) => {
      if (isEndedListed(listed)) return [[owner, listed] as const];
      return account_id === undefined ? [] : [[owner, endedAt(moment, id)] as const];
    }),
  );
}
