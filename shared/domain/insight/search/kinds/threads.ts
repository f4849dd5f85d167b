import { momentIn } from '#shared/domain/collaboration/record-lists/ranks.ts';
import {
  listNames,
  peoplePrefixes,
  prefixes,
  type ThreadPosting,
  threadOf,
} from '#shared/domain/mail/threads/lists/postings.ts';
import { ownedRanges } from '#shared/domain/mail/threads/lists/read.ts';
import { SHOWN, shownParticipants } from '#shared/domain/mail/threads/participants.ts';
import { mayShow } from '#shared/domain/mail/threads/policy.ts';
import type { Thread, ThreadEntry } from '#shared/domain/mail/threads/thread.ts';
import { Conjunction } from '#shared/domain/platform/postings/conjunction.ts';
import type { ListRange } from '#shared/domain/platform/postings/reader.ts';
import { keys } from '#shared/table/keys.ts';
import {
  type Hit,
  type ListContext,
  READ_BEFORE,
  type Searchable,
  type SearchContext,
  type Source,
} from '../kind.ts';
import { listSource, readingOf } from '../list-source.ts';
import type { SearchQuery } from '../query.ts';
import { textIn, titleIn } from '../texts.ts';
import { TIER, type Tier } from '../tiers.ts';
import { subjectSource } from './mail-subjects.ts';
import { mailTexts } from './mail-texts.ts';
import { isLookedFor, messagesFor } from './messages.ts';

/**
 * Threads in the search over all records: the lists of the caller and of the mailboxes that the caller reads, with what
 * the caller may read of a thread.
 */

/** Words that are looked up in lists; further ones are checked on the threads found. */
const MAX_WORDS = 4;
const LONGEST_WORD = 64;

/** Words of one or two letters, and those that most mail has, have no lists: alone they find the newest threads. */
const NEWEST = 200;

type Ranges = (word: string) => ListRange[] | undefined;

const inSubjects: Ranges = (word) => prefixes.ranges(word, (prefix) => [listNames.subject(prefix)]);

function anywhere(word: string): ListRange[] | undefined {
  const mail = prefixes.ranges(word, (prefix) => [listNames.subject(prefix), listNames.snippet(prefix)]);
  const people = peoplePrefixes.ranges(word, (prefix) => [listNames.people(prefix)]);
  return mail && people && [...mail, ...people];
}

function listed(
  ctx: ListContext,
  { terms }: SearchQuery,
  wanted: number,
  at: { ranges: Ranges; tier: Tier },
) {
  const words = terms.map(([word = '']) => word).toSorted((a, b) => b.length - a.length);
  const clauses = words.flatMap((word) => [at.ranges(word) ?? []]).filter(({ length }) => length > 0);
  const some = clauses.slice(0, MAX_WORDS);
  const all = [{ list: listNames.all }];
  // A mailbox may have other words of a thread than the caller, at another rank: the caller's lists know the rank.
  const far = wanted > READ_BEFORE && some.length > 0 ? [all] : [];
  const read = ownedRanges(ctx, some.length > 0 ? [...some, ...far] : [all]);
  const found = new Conjunction<ThreadPosting>(ctx.lists, read, {
    ...readingOf(read, wanted),
    ...(some.length > 0 ? {} : { page_size: NEWEST }),
  });
  return listSource(found, {
    tier: at.tier,
    exact: some.length === words.length && words.every(({ length }) => length <= LONGEST_WORD),
    candidateOf: ({ SK, of_several }) => ({
      ...{ id: threadOf(SK), moment: momentIn(SK, 0) },
      ...(of_several ? { exact: false } : {}),
    }),
    ...(some.length > 0 ? {} : { most: NEWEST }),
  });
}

type Sources = (ctx: ListContext, query: SearchQuery, wanted: number) => Source[];

const isByMessages = (ctx: ListContext, query: SearchQuery) =>
  messagesFor(ctx).isBesideLists && isLookedFor(query);

/** The list of one word begins with what is wanted; of several, messages know which have all. */
const titled: Sources = (ctx, query, wanted) => {
  if (query.terms.length === 0) return [];
  return query.terms.length > 1 && isByMessages(ctx, query)
    ? [subjectSource(ctx, query, wanted)]
    : [listed(ctx, query, wanted, { ranges: inSubjects, tier: TIER.title })];
};

/** Where not everything that messages say is looked for at once, what lists show of threads is, before that. */
const mentioning: Sources = (ctx, query, wanted) =>
  query.terms.length === 0 || isByMessages(ctx, query)
    ? []
    : [listed(ctx, query, wanted, { ranges: anywhere, tier: TIER.text })];

const senderOf = ({ last_message, sender_email_addresses }: ThreadEntry): string | null => {
  const { name, email_address } = last_message?.from ?? {};
  return name ?? email_address ?? sender_email_addresses.at(-1) ?? null;
};

function hitOf(entry: ThreadEntry): Hit<ThreadEntry> {
  const people = Object.entries(shownParticipants(entry, SHOWN.in_lists));
  return {
    id: entry.thread_id,
    record: entry,
    label: entry.subject ?? '',
    moment: Date.parse(entry.last_sent_at),
    texts: [
      ...titleIn('subject', entry.subject),
      ...textIn('snippet', entry.snippet),
      ...textIn('participants', ...people.flatMap(([address, name]) => [name, address])),
    ],
  };
}

async function read({ table, caller: { user } }: SearchContext, ids: string[]): Promise<Hit<ThreadEntry>[]> {
  const [entries, threads] = await Promise.all([
    table.getMany<ThreadEntry>(ids.map((id) => keys.threadEntry(user.id, id))),
    table.getMany<Thread>(ids.map((id) => keys.record('threads', id))),
  ]);
  const threadById = new Map(threads.map((thread) => [thread.id, thread]));
  return entries.flatMap((entry) => {
    const thread = threadById.get(entry.thread_id);
    return thread && mayShow(user, thread, entry) ? [hitOf(entry)] : [];
  });
}

export const searchableThreads: Searchable<ThreadEntry> = {
  named: false,
  titled,
  mentioning,
  within: mailTexts,
  read,
  sublabels: async (_, entries) => entries.map(senderOf),
};
