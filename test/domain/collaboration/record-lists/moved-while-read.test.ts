import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Criterion } from '#shared/domain/collaboration/record-lists/criteria.ts';
import { findRecords } from '#shared/domain/collaboration/record-lists/find.ts';
import { nameRank, rankOf } from '#shared/domain/collaboration/record-lists/ranks.ts';
import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import { contactIndex } from '#shared/domain/crm/contacts/lists.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { keys } from '#shared/table/keys.ts';
import { callerOf } from '../../../support/callers.ts';
import { givenCalendar, givenEvent } from '../../../support/events.ts';
import { cases, long } from '../../../support/long.ts';
import { givenContact } from '../../../support/proposals.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/**
 * A record moves in its list after the page has read where it was, and before the record is read. The page shows it; the
 * records that stay where they are come once in all pages.
 */

const STEADY = ['b', 'd', 'f', 'h', 'j', 'l'];
/** In the middle of them: the last of the second page, in both directions. */
const MOVED = 'g';
/** Ahead of all, and behind them. */
const PLACES = ['a', 'z'];
const ORDERS = ['asc', 'desc'] as const;

const moves = ORDERS.flatMap((order) => PLACES.map((to) => [order, to] as const));
/** Forwards and ahead, backwards and behind in `npm test`. */
const some = long ? moves : moves.filter((_, i) => i % 3 === 0);

describe('a record that moves while a page is read', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
  });
  afterAll(() => workspace.stop());

  /** Once, before records of this type are read by their ids. */
  async function movingWhile<T>(
    type: string,
    move: () => Promise<unknown>,
    read: () => Promise<T>,
  ): Promise<T> {
    const stack = workspace.table.client.middlewareStack;
    let moved = false;
    stack.add(
      (next) => async (args) => {
        const isRead = JSON.stringify((args.input as { RequestItems?: object }).RequestItems ?? '').includes(
          `"RECORD#${type}#`,
        );
        if (isRead && !moved) {
          moved = true;
          await move();
        }
        return next(args);
      },
      { step: 'initialize', name: 'moving', override: true },
    );
    try {
      return await read();
    } finally {
      stack.remove('moving');
      expect(moved).toBe(true);
    }
  }

  /** All pages, of which the second is read while the record moves. */
  async function walk(
    pageAt: (after: string | undefined) => Promise<{ names: string[]; next: string | null | undefined }>,
    { type, move }: { type: string; move: () => Promise<unknown> },
  ): Promise<string[]> {
    const found: string[] = [];
    let after: string | undefined;
    let read = 0;
    do {
      const ask = () => pageAt(after);
      const { names, next } = await (++read === 2 ? movingWhile(type, move, ask) : ask());
      found.push(...names);
      after = next ?? undefined;
    } while (after !== undefined);
    return found;
  }

  const steady = (found: string[], order: 'asc' | 'desc') => {
    const all = found.filter((name) => STEADY.includes(name));
    expect(all).toEqual(order === 'asc' ? STEADY : STEADY.toReversed());
  };

  describe.each(['in lists', 'known by their names'])('contacts %s', (known) => {
    const names = new Map<string, string>();
    let ctx: CallerContext;
    const wider: Criterion<Contact> = {
      keeps: () => false,
      others: async () => ({ ids: [...names.keys()], names: new Map(names) }),
    };

    async function given(user: TestUser, name: string) {
      const { id } = await givenContact(user, { name });
      names.set(id, name);
      return id;
    }

    it.each(some)('by name, %s, to %s', async (order, to) => {
      names.clear();
      const user = workspace.ada;
      const made = await Promise.all(STEADY.map((name) => given(user, name)));
      const id = await given(user, MOVED);
      ctx = {
        ...workspace.ctx,
        now: new Date(),
        caller: await callerOf(workspace.table, user.user),
      } as never;
      const criteria = known === 'in lists' ? [] : [wider];
      const query = { index: contactIndex, criteria, sort: 'name', order };
      const found = await walk(
        async (after) => {
          const { rows, next } = await findRecords(ctx, query, { limit: 2, after });
          return { names: rows.map(({ name }) => name), next };
        },
        {
          type: 'contacts',
          move: () => user.api.updateContact({ params: { id }, body: { contact: { name: to } } }),
        },
      );
      steady(found, order);
      for (const each of [...made, id]) await user.api.deleteContact({ params: { id: each } });
    });
  });

  it('is in a page once, while both of its places are there', async () => {
    const { hank } = workspace;
    const { id } = await givenContact(hank, { name: 'q' });
    await givenContact(hank, { name: 'r' });
    const now = keys.posting(hank.user.account_id, 'contacts:name:all', rankOf(nameRank('q'), id));
    const before = keys.posting(hank.user.account_id, 'contacts:name:all', rankOf(nameRank('s'), id));
    expect(await workspace.table.get(now)).toBeDefined();
    await workspace.table.put(before);
    const { records } = (await hank.reader.listContacts({ query: {} })).body.collection;
    expect(records.map(({ name }) => name)).toEqual(['q', 'r']);
  });

  const dayOf = (name: string) => `2059-12-${String(name.charCodeAt(0) - 96).padStart(2, '0')}T10:00:00Z`;

  it.each(cases(['z'], ['a']))(
    'tasks by the day when they are due, to %s, forwards and backwards',
    async (to) => {
      const user = workspace.grace;
      const given = async (name: string) =>
        (await user.api.createTask({ body: { task: { name, due_at: dayOf(name) } } })).body.task.id;
      const made = await Promise.all(STEADY.map(given));
      const id = await given(MOVED);
      const move = () => user.api.updateTask({ params: { id }, body: { task: { due_at: dayOf(to) } } });
      const pageAt = async (query: object) => {
        const { records, page_info } = (await user.reader.listTasks({ query: { limit: 2, ...query } })).body
          .collection;
        return { names: records.map(({ name }) => name), ...page_info };
      };
      const onwards = await walk(
        async (next_cursor) => {
          const { names, next_cursor: next } = await pageAt(next_cursor ? { next_cursor } : {});
          return { names, next };
        },
        { type: 'tasks', move },
      );
      steady(onwards, 'asc');
      await user.api.updateTask({ params: { id }, body: { task: { due_at: dayOf(MOVED) } } });
      // From the last page back.
      let last = await pageAt({});
      while (last.next_cursor) last = await pageAt({ next_cursor: last.next_cursor });
      const backwards = await walk(
        async (prev_cursor) => {
          const { names, prev_cursor: next } = prev_cursor ? await pageAt({ prev_cursor }) : last;
          return { names: names.toReversed(), next };
        },
        { type: 'tasks', move },
      );
      steady(backwards, 'desc');
      for (const each of [...made, id]) await user.api.deleteTask({ params: { id: each } });
    },
  );

  it.each(cases(['a'], ['z']))('events by their beginning, to %s', async (to) => {
    const user = workspace.grace;
    const { calendar_id } = await givenCalendar(workspace, user);
    const at = (name: string) => ({
      ...{ starts_at: dayOf(name), ends_at: dayOf(name).replace('T10', 'T11'), time_zone: 'UTC' },
    });
    for (const name of STEADY) await givenEvent(user, calendar_id, { name, ...at(name) });
    const { id } = await givenEvent(user, calendar_id, { name: MOVED, ...at(MOVED) });
    const found = await walk(
      async (next_cursor) => {
        const query = {
          ...{
            limit: 2,
            calendar_id,
            starts_after: '2059-11-30T00:00:00Z',
            starts_before: '2060-01-31T00:00:00Z',
          },
          ...(next_cursor ? { next_cursor } : {}),
        };
        const { records, page_info } = (await user.reader.listCalendarEvents({ query: query as never })).body
          .collection;
        return { names: records.map(({ name }) => name as string), next: page_info.next_cursor };
      },
      {
        type: 'calendar_events',
        move: () => user.api.updateCalendarEvent({ params: { id }, body: { calendar_event: at(to) } }),
      },
    );
    steady(found, 'asc');
  });
});
