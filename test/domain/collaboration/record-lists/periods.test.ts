import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RecordIndex } from '#shared/domain/collaboration/record-lists/entry.ts';
import { notedAfter } from '#shared/domain/collaboration/record-lists/moments-note.ts';
import { sizesByTime } from '#shared/domain/collaboration/record-lists/period-sizes.ts';
import {
  common,
  listsOfWindow,
  periodsNote,
  type Window,
} from '#shared/domain/collaboration/record-lists/periods.ts';
import { planIn } from '#shared/domain/collaboration/record-lists/plan.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';

const DAY = 86_400_000;
const BEGINS = Date.UTC(2021, 4, 17, 3);
const NOW = Date.UTC(2024, 1, 29, 22);

const ctx = (begins = BEGINS) =>
  ({
    now: new Date(NOW),
    caller: { account: { created_at: new Date(begins).toISOString() } },
  }) as CallerContext;

const noted = (at: number, spread: { spread?: true } = {}) =>
  periodsNote({ periods: ['created'], ...spread }, { created_at: new Date(at).toISOString() } as never);

describe('lists of periods', () => {
  it('have each record of a window once, and say which of them have others', () => {
    // Also at the beginnings of months and years.
    const moments = fc.oneof(
      fc.integer({ min: BEGINS, max: NOW }),
      fc
        .tuple(fc.integer({ min: 2021, max: 2024 }), fc.constantFrom(0, 1, 5, 11))
        .map(([year, month]) => Math.min(NOW, Math.max(BEGINS, Date.UTC(year, month)))),
      fc.constantFrom(BEGINS, NOW, BEGINS + 1, NOW - 1),
    );
    const bounds = fc.option(fc.oneof(moments, fc.integer({ min: -1e13, max: 1e13 })), { nil: undefined });
    fc.assert(
      fc.property(moments, bounds, bounds, fc.boolean(), (at, after, before, is_spread) => {
        const window: Window = {
          moment: 'created',
          ...(after === undefined ? {} : { after }),
          ...(before === undefined ? {} : { before }),
        };
        const merged = listsOfWindow(ctx(), window, is_spread);
        // More than thirteen months are not.
        if (is_spread && !merged) return;
        const lists = merged ?? [];
        const notes = noted(at, is_spread ? { spread: true } : {});
        const own = notes.map(({ list }) => list);
        const found = lists.filter(({ list }) => own.includes(list));
        const isWanted = at > (after ?? at - 1) && at < (before ?? at + 1);
        if (isWanted) expect(found).toHaveLength(1);
        else expect(found.filter(({ is_partial }) => !is_partial)).toEqual([]);
        // What decides in a list that has others is in its postings alone.
        for (const { list, is_partial } of found)
          if (is_partial) expect(notes.find((each) => each.list === list)?.note).toEqual({ created: at });
      }),
      { numRuns: 2_000 },
    );
  });

  it('are years, the months of those that a bound cuts, and tens of days of the month', () => {
    const after = Date.UTC(2021, 9, 19);
    expect(listsOfWindow(ctx(), { moment: 'written', after })).toEqual([
      { list: 'written:2021-10-1', is_partial: true },
      ...['2021-10-2', '2021-10-3', '2021-11', '2021-12', '2022', '2023', '2024'].map((period) => ({
        list: `written:${period}`,
        is_partial: false,
      })),
    ]);
    expect(listsOfWindow(ctx(), { moment: 'written', before: Date.UTC(2022, 1, 10) })).toEqual([
      ...['2021', '2022-01', '2022-02-0'].map((period) => ({ list: `written:${period}`, is_partial: false })),
      { list: 'written:2022-02-1', is_partial: true },
    ]);
  });

  it('are months where the order does not go with them', () => {
    const after = Date.UTC(2023, 10, 19);
    const window: Window = { moment: 'written', after };
    const lists = listsOfWindow(ctx(), window, true) ?? [];
    expect(lists).toEqual(
      ['2023-11', '2023-12', '2024-01', '2024-02', '2024-03'].map((period, i) => ({
        list: `written:${period}`,
        is_partial: i === 0,
      })),
    );
    // A share of 120, and 20 more; of November two fifths are wanted, and of March a day has passed.
    expect(sizesByTime(ctx(), window, lists)).toEqual([85, 56, 56, 54, 22]);
    expect(listsOfWindow(ctx(), { moment: 'written', before: NOW }, true)).toBeUndefined();
  });

  it('have nothing from before the account, and from after tomorrow', () => {
    expect(listsOfWindow(ctx(), { moment: 'created', before: BEGINS - 60 * DAY })).toEqual([]);
    expect(listsOfWindow(ctx(), { moment: 'created', after: NOW + 60 * DAY })).toEqual([]);
  });

  it('are not read when they are too many', () => {
    const old = ctx(Date.UTC(1970, 0, 2));
    expect(listsOfWindow(old, { moment: 'created', before: NOW })).toBeUndefined();
    const after = Date.UTC(1990, 5);
    expect(listsOfWindow(old, { moment: 'created', after })).toHaveLength(4 + 6 + 34);
  });
});

describe('plans', () => {
  const index = {
    ...{ type: 'tasks', orders: { due: () => '' }, words_by: 'due' },
    ...{ noted_moments: ['created'], periods: ['created'], audience: async () => [] },
  } as unknown as RecordIndex;

  const listsFor = (mailboxes: number) => {
    const reader = ctx();
    const user = {
      id: 'u',
      mailboxes: Object.fromEntries(Array.from({ length: mailboxes }, (_, i) => [`m${i}`, 'read'])),
    };
    const caller = { ...reader.caller, account: { ...reader.caller.account, id: 'a' }, user };
    const after = Date.UTC(2021, 9, 19);
    const created = { ...notedAfter(index, 'created', after), keeps: () => true };
    return planIn({ ...reader, caller } as never, index, [created], 'due').clauses.flat();
  };

  it('read the lists of periods of the account, the user and their mailboxes', () => {
    expect(listsFor(1)).toHaveLength(3 * 8);
  });

  it('read one list of each, where there are many', () => {
    expect(listsFor(50).map(({ list }) => list)).toEqual(Array(52).fill('tasks:due:all'));
  });
});

describe('windows', () => {
  it('of one moment are one', () => {
    const windows: Window[] = [
      { moment: 'created', after: 1 },
      { moment: 'created', before: 9, after: 3 },
      { moment: 'created', before: 7 },
    ];
    expect(common(windows)).toEqual({ moment: 'created', after: 3, before: 7 });
  });

  it('of different moments are none', () => {
    expect(
      common([
        { moment: 'created', after: 1 },
        { moment: 'written', after: 1 },
      ]),
    ).toBeUndefined();
    expect(common([])).toBeUndefined();
  });
});
