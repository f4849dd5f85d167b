import { BrokenCsv, readCsv } from '#shared/domain/exchange/formats/csv-reader.ts';
import { type CalendarHead, noHead, readEvents } from '#shared/domain/exchange/formats/ics-reader.ts';
import type { ByteSource } from '#shared/domain/exchange/formats/source.ts';
import { readCards } from '#shared/domain/exchange/formats/vcard-reader.ts';
import { readEvent } from '#shared/domain/exchange/records/calendar-events.ts';
import { readCard } from '#shared/domain/exchange/records/card.ts';
import { Cells } from '#shared/domain/exchange/records/cells.ts';
import type { AnyFamily } from '#shared/domain/exchange/records/families.ts';
import type { Family } from '#shared/domain/exchange/records/family.ts';
import type { SentRow } from '#shared/domain/exchange/records/row.ts';
import { ApiError } from '#shared/errors.ts';
import type { RecordImport } from './import.ts';
import { readBefore } from './passes.ts';

/** The rows of an import, from its position on, whatever the format. */

export interface Entry {
  number: number;
  /** Where the next row begins. */
  next: number;
  /** Bytes of the row. */
  bytes: number;
  /** What the calendar around the next row has said. */
  head?: CalendarHead;
  /** Throws 400 for a row that cannot be read; undefined for an empty one. */
  read(): SentRow | undefined;
}

const tooLarge = () => {
  throw new ApiError('invalid_request', { message: 'The row is too large.' });
};

type RowOf = Family<never, never>['rowOf'];

type Rows = AsyncGenerator<Omit<Entry, 'number' | 'bytes'>>;

async function* csvRows(
  source: ByteSource,
  { encoding, delimiter, date_order, columns, position }: RecordImport,
  rowOf: RowOf,
): Rows {
  const layout = { encoding, delimiter: delimiter ?? ',' };
  const targets = columns.map(({ field }) => field);
  // Where semicolons divide the cells, commas divide the digits.
  const style = { date_order, comma: delimiter === ';' };
  for await (const row of readCsv(source, layout, position.offset)) {
    const { next } = row;
    if ('failure' in row) yield { next, read: tooLarge };
    else {
      const cells = new Cells(targets, row.cells, style);
      yield { next, read: () => (cells.isEmpty ? undefined : { ...rowOf(cells), style }) };
    }
  }
}

async function* cardRows(source: ByteSource, { encoding, position }: RecordImport): Rows {
  for await (const entry of readCards(source, encoding, position.offset)) {
    const { next } = entry;
    yield 'failure' in entry ? { next, read: tooLarge } : { next, read: () => readCard(entry.card) };
  }
}

async function* eventRows(source: ByteSource, { encoding, position }: RecordImport): Rows {
  const place = { from: position.offset, known: position.head ?? noHead };
  for await (const entry of readEvents(source, encoding, place)) {
    const { next, head } = entry;
    yield 'failure' in entry ? { next, head, read: tooLarge } : { next, head, read: () => readEvent(entry) };
  }
}

function rowsOf(source: ByteSource, found: RecordImport, family: AnyFamily): Rows {
  if (found.format === 'ics') return eventRows(source, found);
  if (found.format === 'vcard' || !('rowOf' in family)) return cardRows(source, found);
  return csvRows(source, found, family.rowOf);
}

/** Throws BrokenCsv with the number of the row. */
export async function* entriesOf(
  source: ByteSource,
  found: RecordImport,
  family: AnyFamily,
): AsyncGenerator<Entry> {
  const before = found.position.row - readBefore(found.position);
  let { offset } = found.position;
  let number = before;
  try {
    for await (const entry of rowsOf(source, found, family)) {
      number++;
      yield { ...entry, number, bytes: entry.next - offset };
      offset = entry.next;
    }
  } catch (error) {
    throw error instanceof BrokenCsv ? new BrokenCsv(before + error.row) : error;
  }
}
