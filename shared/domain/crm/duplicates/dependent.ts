import { type Dependent, inTransactions } from '#shared/domain/collaboration/life/dependent.ts';
import {
  type Came,
  cameBy,
  joined,
  type Passing,
  parted,
} from '#shared/domain/collaboration/records/came-by.ts';
import type { RecordItem } from '#shared/domain/collaboration/records/live.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table, Write } from '#shared/table/table.ts';
import {
  type DistinctRow,
  forget,
  otherOf,
  pairRows,
  remains,
  rowsUnder,
  stillLive,
  stillRemains,
} from './distinct.ts';

const sideOf = (row: DistinctRow | undefined, contact: string): Came | undefined =>
  row && (row.sides?.[contact] ?? {});

/** Who is not the same person as a merged contact is not its survivor either. */
async function moving(table: Table, from: Passing, into: string, row: DistinctRow): Promise<Write[]> {
  const other = otherOf(row);
  if (other === into) return forget(from.id, into);
  const [record, there] = await Promise.all([
    table.get<RecordItem>(keys.record('contacts', other)),
    from.by && table.get<DistinctRow>(keys.distinct(into, other)),
  ]);
  if (!remains(record)) return forget(from.id, other);
  const sides = from.by && {
    [into]: joined(sideOf(there, into), sideOf(row, from.id) ?? {}, from.by),
    [other]: joined(sideOf(there, other), sideOf(row, other) ?? {}, []),
  };
  return [...forget(from.id, other), ...pairRows(into, other, sides), stillLive(into), stillRemains(other)];
}

/** The other one of a pair was told apart from the record that is no longer merged, from its survivor, or from both. */
async function returning(table: Table, from: string, into: string, row: DistinctRow): Promise<Write[]> {
  const other = otherOf(row);
  const { stays, back } = parted(sideOf(row, from) ?? {}, into);
  const theirs = sideOf(row, other) ?? {};
  const record = await table.get<RecordItem>(keys.record('contacts', other));
  if (!remains(record)) return forget(from, other);
  return [
    ...(stays ? pairRows(from, other, { [from]: stays, [other]: theirs }) : forget(from, other)),
    ...pairRows(into, other, { [into]: back, [other]: theirs }),
    stillRemains(other),
  ];
}

export const distinctContacts: Dependent = {
  async *moving({ table }, from, into) {
    if (from.type !== 'contacts') return;
    const { PK, SK } = rowsUnder(from.id);
    for await (const page of table.pages<DistinctRow>(PK, SK))
      for (const row of page) yield await moving(table, from, into.id, row);
  },
  async *returning({ table }, from, into) {
    if (from.type !== 'contacts') return;
    const { PK, SK } = rowsUnder(from.id);
    for await (const page of table.pages<DistinctRow>(PK, SK))
      for (const row of page)
        if (cameBy(sideOf(row, from.id) ?? {}, into.id)) yield await returning(table, from.id, into.id, row);
  },
  async *removing({ table }, record) {
    if (record.type !== 'contacts') return;
    const { PK, SK } = rowsUnder(record.id);
    for await (const page of table.pages<DistinctRow>(PK, SK))
      yield* inTransactions(page.flatMap((row) => forget(record.id, otherOf(row))));
  },
};
