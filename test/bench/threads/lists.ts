import { type Client, createClient } from '#shared/api/client.ts';
import { contextOf } from '#shared/context.ts';
import { tagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Criterion } from '#shared/domain/mail/threads/lists/criteria.ts';
import { findThreads } from '#shared/domain/mail/threads/lists/find.ts';
import { inSpace, involving } from '#shared/domain/mail/threads/lists/owners.ts';
import { type Plan, planOf } from '#shared/domain/mail/threads/lists/plan.ts';
import { presentRows, readSurroundings } from '#shared/domain/mail/threads/present.ts';
import { getServices } from '#shared/services.ts';
import type { Table } from '#shared/table/table.ts';
import { families } from '../../../functions/catalogue.ts';
import { allPorts } from '../../support/ports.ts';
import { planted } from './chosen.ts';
import { addressAt } from './mail.ts';
import type { ThreadWorld } from './world.ts';

/** First pages, and the request for each. */

/** The world that is queried. */
export interface Place {
  table: Table;
  api: Client<typeof families>;
  world: ThreadWorld;
}

export const placeOf = (table: Table, base_url: string, world: ThreadWorld): Place => ({
  table,
  world,
  api: createClient(families, { base_url, key: world.keys.write_key }),
});

/** Gives the number of rows. */
type Ask = (place: Place) => Promise<number>;

export interface ListCase {
  name: string;
  ask: Ask;
  /** Through the store, without authentication before it. */
  stored?: true;
  /** Why it is shown without a budget. */
  beside?: string;
  /** Round trips that it may take, when more than other pages. */
  depth?: number;
}

const PAGE = 50;

/** A page of a plan that no request can have, as the list gives it. */
export async function askPlan({ world }: Place, plan: Plan | Promise<Plan>, after?: string) {
  const ctx = { ...contextOf(getServices(), allPorts), caller: world.caller };
  const around = readSurroundings(ctx);
  const page = await findThreads(ctx, await plan, {
    after,
    limit: PAGE,
    onPostings: (postings) => around.book.ask(postings.flatMap(({ addresses }) => addresses ?? [])),
  });
  return (await presentRows(page.rows, world.caller.user, new Date(world.now), around)).length;
}

type Query = Record<string, string | boolean>;

const listed =
  (query: (world: ThreadWorld) => Query): Ask =>
  async ({ api, world }) =>
    (await api.listThreads({ query: query(world) })).body.collection.records.length;

const list = (query: Query, name?: string): ListCase => ({
  name:
    name ??
    Object.entries(query)
      .map(([key, value]) => `${key}=${value}`)
      .join(', '),
  ask: listed(() => query),
});

const listOf = (name: string, query: (world: ThreadWorld) => Query): ListCase => ({
  name,
  ask: listed(query),
});

/** Only the rows of the record are written, so the store is queried. */
const listStored = (
  name: string,
  criterionOf: (reading: Pick<CallerContext, 'table' | 'caller'>, world: ThreadWorld) => Promise<Criterion>,
): ListCase => ({
  name,
  stored: true,
  ask: (place) => {
    const reading = { table: place.table, caller: place.world.caller };
    return askPlan(
      place,
      criterionOf(reading, place.world).then((criterion) => planOf([criterion])),
    );
  },
});

const listSpace = (name: string, id: (world: ThreadWorld) => string) =>
  listStored(name, (reading, world) =>
    inSpace(reading, id(world), tagDictionary(reading.table, reading.caller.account.id)),
  );

const slices = [
  'inbox',
  'today',
  'workweek',
  'flagged',
  'unread',
  'unreplied',
  'awaiting',
  'has_attachment',
  'unresolved',
  'snoozed',
  'shared',
];

const DAY = 86_400_000;
const ago = (days: number) => (world: ThreadWorld) => new Date(world.now - days * DAY).toISOString();

export const listCases: ListCase[] = [
  list({}, 'no filter'),
  ...slices.map((slice) => list({ slice })),
  // The pinned contacts are read first, in two.
  { ...list({ slice: 'pinned-contacts' }), depth: 4 },
  list({ scope: 'personal' }),
  list({ scope: 'shared' }),
  listOf('mailbox_id', ({ mailbox_ids }) => ({ mailbox_id: mailbox_ids[1] as string })),
  listOf('contact_id, two addresses', ({ contact_id }) => ({ contact_id })),
  listStored('organization_id, 20 addresses', (reading, { organization_id }) =>
    involving(reading, 'organizations', organization_id),
  ),
  listSpace('space_id, 12 addresses', ({ space_id }) => space_id),
  listSpace('space_id, two tags', ({ tagged_space_id }) => tagged_space_id),
  list({ query: planted.rare }, 'query, a rare word'),
  list({ query: planted.hundredth }, 'query, a word of 1 %'),
  list({ query: planted.common }, 'query, a common word'),
  list({ query: planted.hundredth.slice(0, 3) }, 'query, three letters'),
  list({ subject: planted.rare }, 'subject, a rare word'),
  list({ subject: planted.hundredth }, 'subject, a word of 1 %'),
  list({ subject: planted.common }, 'subject, a common word'),
  list({ subject: planted.hundredth.slice(0, 3) }, 'subject, three letters'),
  list({ participant: planted.rare_address }, 'participant, rare'),
  list({ participant: planted.frequent_address }, 'participant, frequent'),
  list({ category: 'personal' }),
  ...['unread', 'flagged', 'unresolved', 'has_attachment'].map((state) => list({ [state]: true })),
  listOf('first_sent_before, old', (world) => ({ first_sent_before: ago(900)(world) })),
  listOf('first_sent_before, recent', (world) => ({ first_sent_before: ago(7)(world) })),
  listOf('last_sent_after', (world) => ({ last_sent_after: ago(365)(world) })),
  listOf('tags, any of one', ({ tags }) => ({ tags: tags.first })),
  listOf('tags, a rare one', ({ tags }) => ({ tags: tags.rare })),
  listOf('tags, all of two', ({ tags }) => ({
    tags: `${tags.first},${tags.second}`,
    tag_operator: 'all',
  })),
];

const beside = (reason: string, each: ListCase): ListCase => ({ ...each, beside: reason });

/** Requests that read more than they return, or have more than one filter. */
export const hardCases: ListCase[] = [
  ...(['query', 'subject'] as const).flatMap((filter) => [
    beside('rare, begins as common words do', list({ [filter]: planted.rare_four })),
    beside('rare, begins as common words do', list({ [filter]: planted.rare_seven })),
    beside('rare, begins as common words do', list({ [filter]: planted.rare_beginning.slice(0, 3) })),
    beside('three letters of many words', list({ [filter]: 'con' })),
    beside('two letters', list({ [filter]: 'co' })),
    beside('one letter', list({ [filter]: 'c' })),
    beside('two words', list({ [filter]: `${planted.common} ${planted.hundredth}` })),
  ]),
  beside(
    'tags that are seldom together',
    listOf('tags, all of two', ({ tags }) => ({ tags: `${tags.left},${tags.right}`, tag_operator: 'all' })),
  ),
  beside('two filters', list({ unread: true, has_attachment: true })),
  beside('two filters', list({ flagged: true, participant: planted.frequent_address })),
  beside('three filters', list({ unread: true, category: 'personal', query: planted.common })),
  beside('inbox and a filter', list({ slice: 'inbox', unread: true })),
  beside('inbox and a filter', list({ slice: 'inbox', participant: addressAt(5) })),
];
