import { BrokenCsv, readCsv } from '#shared/domain/exchange/formats/csv-reader.ts';
import type { ByteSource } from '#shared/domain/exchange/formats/source.ts';
import { readCards } from '#shared/domain/exchange/formats/vcard-reader.ts';
import { readCard } from '#shared/domain/exchange/records/card.ts';
import { Cells } from '#shared/domain/exchange/records/cells.ts';
import type { Family } from '#shared/domain/exchange/records/family.ts';
import type { SentRow } from '#shared/domain/exchange/records/row.ts';
import { ApiError } from '#shared/errors.ts';
import type { RecordImport } from './import.ts';

/** The rows of an import, from its position on, whatever the format. */

export interface Entry {
  number: number;
  /** Where the next row begins. */
  next: number;
  /** Bytes of the row. */
  bytes: number;
  /** Throws 400 for a row that cannot be read; undefined for an empty one. */
  read(): SentRow | undefined;
}

const tooLarge = () => {
  throw new ApiError('invalid_request', { message: 'The row is too large.' });
};

type Rows = (rowOf: Family<never, never>['rowOf']) => AsyncGenerator<Omit<Entry, 'number' | 'bytes'>>;

function csvRows(
  source: ByteSource,
  { encoding, delimiter, date_order, columns, position }: RecordImport,
): Rows {
  const layout = { encoding, delimiter: delimiter ?? ',' };
  const targets = columns.map(({ field }) => field);
  // Where semicolons divide the cells, commas divide the digits.
  const style = { date_order, comma: delimiter === ';' };
  return async function* (rowOf) {
    for await (const row of readCsv(source, layout, position.offset)) {
      const { next } = row;
      if ('failure' in row) yield { next, read: tooLarge };
      else {
        const cells = new Cells(targets, row.cells, style);
        yield { next, read: () => (cells.isEmpty ? undefined : rowOf(cells)) };
      }
    }
  };
}

function cardRows(source: ByteSource, { encoding, position }: RecordImport): Rows {
  return async function* () {
    for await (const entry of readCards(source, encoding, position.offset)) {
      const { next } = entry;
      yield 'failure' in entry ? { next, read: tooLarge } : { next, read: () => readCard(entry.card) };
    }
  };
}

/** Throws BrokenCsv with the number of the row. */
export async function* entriesOf(
  source: ByteSource,
  found: RecordImport,
  { rowOf }: Pick<Family<never, never>, 'rowOf'>,
): AsyncGenerator<Entry> {
  const rows = found.format === 'vcard' ? cardRows(source, found) : csvRows(source, found);
  let { row: number, offset } = found.position;
  try {
    for await (const entry of rows(rowOf)) {
      number++;
      yield { ...entry, number, bytes: entry.next - offset };
      offset = entry.next;
    }
  } catch (error) {
    throw error instanceof BrokenCsv ? new BrokenCsv(found.position.row + error.row) : error;
  }
}
