import * as z from 'zod';
import {
  type Tool,
  type Toolbox,
  type ToolName,
  ToolRefused,
} from '#shared/domain/assistant/answering/assistant.ts';
import type { ToolResults } from '#shared/domain/assistant/answering/tool-results.ts';
import type {
  ContactView,
  DealView,
  OrganizationRow,
  PersonView,
  TagView,
  TaskRow,
  ThreadRow,
  ThreadView,
  UserView,
} from '#shared/domain/assistant/answering/views.ts';

import { actionTypes } from '#shared/domain/assistant/proposals/proposal.ts';

/** The tools of an assistant over a workspace in memory. It records what the assistant shows and proposes. */

export interface World {
  threads: ThreadView[];
  contacts: ContactView[];
  tags: TagView[];
  organizations?: OrganizationRow[];
  deals?: DealView[];
  tasks?: TaskRow[];
  users?: UserView[];
}

interface Cards {
  card_type: 'Contact' | 'Thread' | 'Task';
  ids: string[];
  title?: string;
}

interface Table {
  title?: string;
  columns: { key: string; label: string; kind?: string }[];
  rows: { cells: Record<string, string | number | null>; ref?: { type: string; id: string } }[];
}

interface Proposed {
  action_type: string;
  params: Record<string, unknown>;
}

export interface Shown {
  cards: Cards[];
  tables: Table[];
  proposals: Proposed[];
  /** Every call, in order. */
  calls: { name: ToolName; input: unknown }[];
}

const id = z.string().min(1).max(100);
const text = z.string().max(1000);

/** The tools that the built-in assistant uses. */
type Used = Exclude<
  ToolName,
  | 'find_duplicates'
  | 'search_events'
  | 'search_files'
  | 'list_calendars'
  | 'list_spaces'
  | 'list_milestones'
  | 'list_pipelines'
>;

const inputs = {
  read_record: z.strictObject({ type: z.enum(['thread', 'contact', 'deal']), id }),
  search_threads: z.strictObject({
    query: text.min(1).optional(),
    contact_id: id.optional(),
    participant: z.string().min(3).optional(),
    unread: z.boolean().optional(),
    unresolved: z.boolean().optional(),
    flagged: z.boolean().optional(),
    awaiting: z.boolean().optional(),
    last_sent_after: z.iso.datetime().optional(),
    limit: z.int().min(1).max(20).optional(),
  }),
  search_contacts: z.strictObject({ query: text.min(1) }),
  search_organizations: z.strictObject({ query: text.min(1) }),
  search_tasks: z.strictObject({
    query: text.min(1).optional(),
    slice: z.enum(['open', 'today', 'overdue', 'completed']).optional(),
    mine: z.boolean().optional(),
    contact_id: id.optional(),
    organization_id: id.optional(),
    deal_id: id.optional(),
    thread_id: id.optional(),
  }),
  list_users: z.strictObject({}),
  search_deals: z.strictObject({ query: text.min(1).optional(), status: z.string().optional() }),
  list_tags: z.strictObject({}),
  show_cards: z.strictObject({
    card_type: z.enum(['Contact', 'Thread', 'Task']),
    ids: z.array(id).min(1).max(20),
    title: text.optional(),
  }),
  show_table: z.strictObject({
    title: text.optional(),
    columns: z
      .array(
        z.strictObject({
          key: z.string(),
          label: z.string(),
          kind: z.enum(['date', 'number', 'text']).optional(),
        }),
      )
      .min(1),
    rows: z
      .array(
        z.strictObject({
          cells: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
          ref: z.strictObject({ type: z.string(), id }).optional(),
        }),
      )
      .min(1)
      .max(20),
  }),
  propose_change: z.strictObject({
    action_type: z.enum(actionTypes),
    params: z.record(z.string(), z.unknown()),
    rationale: text.optional(),
  }),
} satisfies Record<Used, z.ZodObject>;

function has(text: string, query: string): boolean {
  const whole = text.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => whole.includes(word));
}

function rowOf({ type, snooze_until, messages, earlier, left_out, comments, ...row }: ThreadView): ThreadRow {
  return row;
}

function textOf(thread: ThreadView): string {
  const people = thread.participants.map((each) => `${each.name} ${each.email_address}`);
  return [thread.subject, ...people, ...thread.messages.map((message) => message.text)].join(' ');
}

type Search = z.infer<(typeof inputs)['search_threads']>;

function isOn(people: readonly PersonView[], wanted: Search): boolean {
  return people.some(
    (each) =>
      (wanted.contact_id === undefined || each.contact_id === wanted.contact_id) &&
      (wanted.participant === undefined || each.email_address === wanted.participant.toLowerCase()),
  );
}

function search({ threads }: World, wanted: Search): ToolResults['search_threads'] {
  const found = threads.filter(
    (thread) =>
      isOn(thread.participants, wanted) &&
      (!wanted.unread || thread.unread) &&
      (!wanted.unresolved || !thread.resolved) &&
      (!wanted.flagged || thread.flagged) &&
      (!wanted.awaiting || thread.awaiting) &&
      (wanted.last_sent_after === undefined || thread.last_sent_at > wanted.last_sent_after) &&
      (wanted.query === undefined || has(textOf(thread), wanted.query)),
  );
  found.sort((a, b) => b.last_sent_at.localeCompare(a.last_sent_at));
  return { threads: found.slice(0, wanted.limit ?? 10).map(rowOf), total: found.length };
}

function record(world: World, type: string, wanted: string): ThreadView | ContactView | DealView {
  const { threads, contacts, deals = [] } = world;
  const found = [...threads, ...contacts, ...deals].find((each) => each.type === type && each.id === wanted);
  if (!found) throw new ToolRefused(`There is no ${type} ${wanted}, or the user does not see it.`);
  return found;
}

function contactsNamed({ contacts }: World, query: string): ToolResults['search_contacts'] {
  const found = contacts.filter((each) => has(`${each.name} ${each.email_addresses.join(' ')}`, query));
  const rows = found.map(({ id, name, headline, email_addresses }) => ({
    id,
    name,
    headline,
    email_addresses,
  }));
  return { contacts: rows.slice(0, 20), more: rows.length > 20 };
}

/** Those whose names have all words of the query. */
function named<T extends { name: string }, Key extends string>(all: T[] = [], query = '', key: Key) {
  const found = all.filter(({ name }) => has(name, query));
  return { [key]: found, total: found.length } as Record<Key, T[]> & { total: number };
}

/** `absent` are tools that the assistant is not given. */
export function toolbox(world: World, absent: readonly ToolName[] = []): { tools: Toolbox; shown: Shown } {
  const shown: Shown = { cards: [], tables: [], proposals: [], calls: [] };
  const runs: { [Name in Used]: (input: never) => ToolResults[Name] } = {
    read_record: ({ type, id }: { type: string; id: string }) => record(world, type, id),
    search_threads: (input: Search) => search(world, input),
    search_contacts: ({ query }: { query: string }) => contactsNamed(world, query),
    search_deals: ({ query }: { query?: string }) => named(world.deals, query, 'deals'),
    search_organizations: ({ query }: { query: string }) => ({
      organizations: named(world.organizations, query, 'organizations').organizations,
      more: false,
    }),
    search_tasks: ({ query }: { query?: string }) => named(world.tasks, query, 'tasks'),
    list_users: () => ({ users: world.users ?? [] }),
    list_tags: () => ({ tags: world.tags }),
    show_cards: (input: Cards) => {
      shown.cards.push(input);
      return { shown: true };
    },
    show_table: (input: Table) => {
      shown.tables.push(input);
      return { shown: true };
    },
    propose_change: (input: Proposed) => {
      shown.proposals.push(input);
      return { proposal_id: `proposal-${shown.proposals.length}`, title: input.action_type };
    },
  };
  const tool = (name: Used): Tool => ({
    name,
    description: name,
    input: inputs[name],
    run: async (sent) => {
      const { success, data, error } = inputs[name].safeParse(sent);
      if (!success) throw new ToolRefused(`${name}: ${z.prettifyError(error)}`);
      shown.calls.push({ name, input: data });
      return runs[name](data as never);
    },
  });
  const given = (Object.keys(inputs) as Used[]).filter((name) => !absent.includes(name));
  return { tools: Object.fromEntries(given.map((name) => [name, tool(name)])) as Toolbox, shown };
}
