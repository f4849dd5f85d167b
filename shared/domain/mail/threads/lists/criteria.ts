import type { Category } from '#shared/domain/mail/mime/message.ts';
import type { Criterion as GenericCriterion } from '#shared/domain/platform/postings/plan.ts';
import { matchesTerms, wordsOf } from '#shared/domain/platform/postings/words.ts';
import { timeRank } from '#shared/table/keys.ts';
import { above, below } from '#shared/table/table.ts';
import { isSnoozed } from '../entry.ts';
import type { Thread, ThreadEntry } from '../thread.ts';
import { listNames, prefixes, SPANS, spanList, type ThreadPosting } from './postings.ts';

/** A thread as one user sees it, with the part that all users share. */
export interface Row {
  entry: ThreadEntry;
  thread: Thread;
}

export type Criterion = GenericCriterion<Row, ThreadPosting>;

type StateList = 'unread' | 'flagged' | 'unresolved' | 'unreplied' | 'has_attachment';

const states: Record<StateList, (entry: ThreadEntry) => boolean> = {
  unread: (entry) => entry.unread !== undefined,
  flagged: (entry) => entry.flagged !== undefined,
  unresolved: (entry) => entry.resolved === undefined,
  unreplied: (entry) => entry.unreplied,
  has_attachment: (entry) => entry.has_attachments,
};

export function inState(name: StateList): Criterion {
  return { clauses: [[{ list: name }]], exact: 'always', keeps: ({ entry }) => states[name](entry) };
}

/** Threads in the inbox, whose list has its own order. */
export const received: Criterion = {
  clauses: [],
  exact: 'never',
  keeps: ({ entry }) => entry.inbox_rank !== undefined,
};

export function snoozed(now: Date): Criterion {
  const filter = { until: above(now.getTime()) };
  return {
    clauses: [[{ list: listNames.snoozed, filter }]],
    exact: 'always',
    keeps: ({ entry }) => isSnoozed(entry, now),
  };
}

export function sharedWith(...how: ('direct' | 'group')[]): Criterion {
  return {
    clauses: [how.map((each) => ({ list: listNames.shared(each) }))],
    exact: 'always',
    keeps: ({ entry }) => how.some((each) => entry.shared_with.includes(each)),
  };
}

export function inMailbox(id: string): Criterion {
  return {
    clauses: [[{ list: listNames.mailbox(id) }]],
    exact: 'always',
    keeps: ({ entry }) => entry.mailbox_ids.includes(id),
  };
}

export function inCategory(category: Category): Criterion {
  return {
    clauses: [[{ list: listNames.category(category) }]],
    exact: 'always',
    keeps: ({ entry }) => entry.category === category,
  };
}

/** `addresses` are in lower case. */
export function withParticipant(addresses: string[]): Criterion {
  const wanted = new Set(addresses);
  return {
    clauses: [addresses.map((address) => ({ list: listNames.participant(address) }))],
    exact: 'in_all',
    keeps: ({ entry }) => Object.keys(entry.participant_names).some((address) => wanted.has(address)),
  };
}

/** `tags`: for each tag, the ids that count as it. */
export function withTags(tags: string[][], operator: 'any' | 'all'): Criterion {
  const carries = (row: Row, ids: string[]) => ids.some((id) => row.thread.tag_ids?.has(id));
  const lists = tags.map((ids) => ids.map((id) => ({ list: listNames.tag(id) })));
  return {
    clauses: operator === 'any' ? [lists.flat()] : lists,
    exact: 'never',
    keeps: (row) =>
      operator === 'any' ? tags.some((ids) => carries(row, ids)) : tags.every((ids) => carries(row, ids)),
  };
}

/** Words that are looked up in lists; further words are checked on the threads found. */
const MAX_WORD_CLAUSES = 4;

function textCriterion(
  text: string,
  lists: ((prefix: string) => string)[],
  textsOf: (entry: ThreadEntry) => (string | null)[],
): Criterion {
  const terms = wordsOf(text);
  const longest = terms.toSorted((a, b) => b.length - a.length).slice(0, MAX_WORD_CLAUSES);
  const clauses = longest.flatMap((term) => {
    const ranges = prefixes.ranges(term, (prefix) => lists.map((listOf) => listOf(prefix)));
    return ranges ? [ranges] : [];
  });
  return {
    clauses: terms.length === 0 ? [[]] : clauses,
    exact: clauses.length === terms.length ? 'in_all' : 'never',
    keeps: ({ entry }) => matchesTerms(terms, textsOf(entry).flatMap(wordsOf)),
  };
}

export function matching(query: string): Criterion {
  return textCriterion(query, [listNames.subject, listNames.snippet], (entry) => [
    entry.subject,
    entry.snippet,
  ]);
}

export function matchingSubject(subject: string): Criterion {
  return textCriterion(subject, [listNames.subject], (entry) => [entry.subject]);
}

/** The latest message was sent from `from` on and before `before`, in milliseconds. */
export function sentBetween(from: number, before?: number): Criterion {
  return {
    clauses: [],
    bounds: { from: timeRank(from), ...(before === undefined ? {} : { before: timeRank(before) }) },
    exact: 'always',
    keeps: ({ entry }) => {
      const sent = Date.parse(entry.last_sent_at);
      return sent >= from && (before === undefined || sent < before);
    },
  };
}

/**
 * The first message was sent before `moment`, in milliseconds: all threads that ended before it, and those that were
 * under way. The latter are searched in the lists by duration, each only as far as its threads can last.
 */
export function startedBefore(moment: number): Criterion {
  const lasting = SPANS.map((longest, i) => ({
    list: spanList(i),
    from: timeRank(moment),
    ...(Number.isFinite(longest) ? { before: timeRank(moment + longest) } : {}),
    filter: { first: below(moment) },
  }));
  return {
    clauses: [[{ list: listNames.all, before: timeRank(moment) }, ...lasting]],
    exact: 'always',
    keeps: ({ entry }) => Date.parse(entry.first_sent_at) < moment,
  };
}
