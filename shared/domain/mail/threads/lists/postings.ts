import type { Posting } from '#shared/domain/platform/postings/posting.ts';
import { Prefixes } from '#shared/domain/platform/postings/prefixes.ts';
import { wordsOf, wordsOfAll } from '#shared/domain/platform/postings/words.ts';
import { keys } from '#shared/table/keys.ts';
import { SHOWN, shownParticipants } from '../participants.ts';
import type { Listed, ThreadEntry } from '../thread.ts';
import { commonWords } from './common-words.ts';

/**
 * The lists that contain a thread, newest first (docs/decisions/0011).
 * - State lists of a user contain exactly their threads: they change in one transaction with the entry.
 * - Term lists (words, participants, tags) may contain stale postings: the entry decides. Those of words belong to a
 *   mailbox, for all who read it, and to a user for what no mailbox of the user has alone (docs/decisions/0087).
 */
export type ThreadPosting = Posting & {
  /** Addresses on the thread, so that contacts are read in parallel with the entries. */
  addresses?: string[];
  /** The end of a snooze, in milliseconds. */
  until?: number;
  /** The beginning of the thread, in milliseconds. */
  first?: number;
  through_share?: true;
  /** In the list of all: other lists have the words that single mailboxes have of it as well. */
  of_several?: true;
};

/** The names of lists. */
export const listNames = {
  all: 'all',
  inbox: 'inbox',
  unread: 'unread',
  flagged: 'flagged',
  unresolved: 'unresolved',
  snoozed: 'snoozed',
  unreplied: 'unreplied',
  has_attachment: 'has_attachment',
  shared: (how: 'direct' | 'group') => `shared:${how}`,
  category: (category: string) => `category:${category}`,
  mailbox: (mailbox: string) => `mailbox:${mailbox}`,
  span: (index: number) => `span:${index}`,
  tag: (tag: string) => `tag:${tag}`,
  participant: (address: string) => `participant:${address}`,
  subject: (prefix: string) => `subject:${prefix}`,
  snippet: (prefix: string) => `snippet:${prefix}`,
  people: (prefix: string) => `people:${prefix}`,
};

const OF_MAILBOXES = [listNames.subject, listNames.snippet, listNames.people].map((listOf) => listOf(''));

/** Whether mailboxes have such lists, besides users. */
export const isOfMailboxes = (list: string): boolean => OF_MAILBOXES.some((kind) => list.startsWith(kind));

const DAY = 86_400_000;

/**
 * Durations of threads in milliseconds; each class is four times as long as the one before. To find threads that began
 * before a moment and continued after it, a class is read only as far after that moment as its threads can last. Most
 * threads are in the first class, which is searched in the list of all.
 */
export const SPANS = [1, 4, 16, 64, 256, 1_024, Number.POSITIVE_INFINITY].map((days) => days * DAY);

export const spanList = (index: number) => (index === 0 ? listNames.all : listNames.span(index));

/** The lists in which a posting contains the beginning of the thread. */
function spanLists(entry: ThreadEntry): Set<string> {
  const lasted = Date.parse(entry.last_sent_at) - Date.parse(entry.first_sent_at);
  return new Set([spanList(0), spanList(SPANS.findIndex((longest) => lasted < longest))]);
}

function stateLists(entry: ThreadEntry): string[] {
  return [
    ...(entry.unread ? [listNames.unread] : []),
    ...(entry.flagged ? [listNames.flagged] : []),
    ...(entry.resolved ? [] : [listNames.unresolved]),
    ...(entry.unreplied ? [listNames.unreplied] : []),
    ...(entry.has_attachments ? [listNames.has_attachment] : []),
    ...(entry.category ? [listNames.category(entry.category)] : []),
    ...entry.shared_with.map(listNames.shared),
    ...entry.mailbox_ids.map(listNames.mailbox),
  ];
}

/** Seconds after the end of a snooze until its posting is removed; readers ignore it from the end on. */
const SNOOZE_KEPT = 3_600;

export function statePostings(entry: ThreadEntry): ThreadPosting[] {
  const { user_id, rank, inbox_rank, snoozed_until } = entry;
  const through = entry.through_share ? { through_share: true as const } : {};
  const postings: ThreadPosting[] = stateLists(entry).map((list) => ({
    ...keys.posting(user_id, list, rank),
    ...through,
  }));
  const first = Date.parse(entry.first_sent_at);
  const several = entry.mailbox_ids.length > 1 ? { of_several: true as const } : {};
  for (const list of spanLists(entry))
    postings.push({ ...keys.posting(user_id, list, rank), first, ...through, ...several });
  if (inbox_rank) postings.push({ ...keys.posting(user_id, listNames.inbox, inbox_rank), ...through });
  if (snoozed_until !== undefined)
    postings.push({
      ...keys.posting(user_id, listNames.snoozed, rank),
      until: snoozed_until,
      expires_epoch: Math.ceil(snoozed_until / 1_000) + SNOOZE_KEPT,
      ...through,
    });
  return postings;
}

/** Addresses in a posting; the contacts of larger threads are read after the entries. */
const MAX_ADDRESSES = 12;

export function participantsBeside(entry: ThreadEntry): { addresses?: string[] } {
  const addresses = Object.keys(entry.participant_names);
  return addresses.length <= MAX_ADDRESSES ? { addresses } : {};
}

/**
 * Two characters are selective in every script except ASCII letters and digits: too many threads have a word that
 * begins with "in", and the newest threads fill a page with them.
 */
export const prefixes = new Prefixes([3, 5], { tellingPair: /[^a-z0-9]/, everywhere: commonWords });

/** One list for a word of people: a thread has some ten of them, and most mail of a team has the same. */
export const peoplePrefixes = new Prefixes([3], { tellingPair: /[^a-z0-9]/, everywhere: commonWords });

/** The words of the names and addresses that lists show, by which only the search over all records finds threads. */
const peopleWords = (listed: Listed): string[] =>
  wordsOfAll(Object.entries(shownParticipants(listed, SHOWN.in_lists)).flat());

/** The places in an owner's lists of words. */
export function wordPostings(owner: string, listed: Listed): ThreadPosting[] {
  const at = { owner, rank: listed.rank };
  const subject = new Set(wordsOf(listed.subject));
  // No search looks at the snippet alone: words of both are found in the subject's lists.
  const further = new Set(wordsOf(listed.snippet).filter((word) => !subject.has(word)));
  const people = peopleWords(listed).filter((word) => !subject.has(word) && !further.has(word));
  return [
    ...prefixes.postings([...subject], at, listNames.subject),
    ...prefixes.postings([...further], at, listNames.snippet),
    ...peoplePrefixes.postings(people, at, listNames.people),
  ];
}

/** Whether the lists of a mailbox that the user reads have the same of the thread as the user sees. */
const isOfOneMailbox = ({ mailbox_ids, through_share }: ThreadEntry): boolean =>
  mailbox_ids.length === 1 && !through_share;

/** The places in the user's own term lists. */
export function termPostings(entry: ThreadEntry, tag_ids: Iterable<string>): ThreadPosting[] {
  const beside = participantsBeside(entry);
  const lists = [
    ...Object.keys(entry.participant_names).map(listNames.participant),
    ...[...tag_ids].map(listNames.tag),
  ];
  return [
    ...lists.map((list) => ({ ...keys.posting(entry.user_id, list, entry.rank), ...beside })),
    ...(isOfOneMailbox(entry) ? [] : wordPostings(entry.user_id, entry)),
  ];
}

/** The thread of a rank. */
export function threadOf(rank: string): string {
  return rank.slice(rank.indexOf('#') + 1);
}
