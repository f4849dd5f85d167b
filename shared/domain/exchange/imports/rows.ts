import type { Page } from '#shared/domain/exchange/newest.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import type { RecordImport, ResultsItem, RowResult } from './import.ts';

/** The results of rows, from the items that have some of them each. */

interface Wanted {
  /** Only rows that failed. */
  failed: boolean;
  limit: number;
  /** The place of the row before the page. */
  after: number;
}

const LAST = 9_999_999_999;

/** Rows that most items have at least. */
const FEW = 25;

/** In the order in which rows are read. */
const placed = ({ results, read_before = 0 }: ResultsItem) =>
  results.map((row) => ({ place: read_before + row.number, row }));

export async function listRows(
  table: Table,
  { id, run }: Pick<RecordImport, 'id' | 'run'>,
  { failed, limit, after }: Wanted,
): Promise<Page<RowResult>> {
  const keyOf = (row: number) =>
    failed ? keys.importRowsOf(id, run, 'failed', row) : keys.importRows(id, run, row);
  const { PK: partition, SK: to } = keyOf(LAST);
  const found: { place: number; row: RowResult }[] = [];
  for (let from: string | undefined = keyOf(after + 1).SK; from !== undefined && found.length <= limit; ) {
    const { items }: { items: ResultsItem[] } = await table.query<ResultsItem>({
      partition,
      sort: { from, to },
      limit: 1 + Math.ceil(limit / FEW),
    });
    found.push(...items.flatMap(placed).filter(({ place }) => place > after));
    const last: ResultsItem | undefined = items.at(-1);
    from = last && `${last.SK}~`;
  }
  const page = found.slice(0, limit);
  const next = found.length > limit ? String(page.at(-1)?.place) : null;
  return { rows: page.map(({ row }) => row), next };
}
