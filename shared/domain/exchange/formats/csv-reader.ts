import { type Info, type Parser, parse } from 'csv-parse';
import { decodeLatin, type Encoding, isWide, swapped } from './encoding.ts';
import { endOfRow } from './end-of-row.ts';
import type { ByteSource } from './source.ts';

/**
 * Reads rows of separated values with the place where each ends, so that reading continues there, and in constant
 * memory: the library reads bytes, and no row may be larger than `MAX_ROW` (docs/decisions/0045).
 */

/** Bytes of a row. */
export const MAX_ROW = 1024 * 1024;

export interface Layout {
  encoding: Encoding;
  delimiter: string;
}

export type CsvRow = { cells: string[]; next: number } | { failure: 'row_too_large'; next: number };

/** Where a quotation mark is not closed, nothing tells where the next row begins. */
export class BrokenCsv extends Error {
  readonly row: number;
  constructor(row: number) {
    super('A quotation mark is not closed');
    this.row = row;
  }
}

type Found = { cells: string[]; bytes: number };

/** Rows come in `found`, not through the stream: an error would take those with it that were not read yet. */
function parserOf({ encoding, delimiter }: Layout, found: Found[]): Parser {
  const decode = isWide(encoding) ? (cell: string) => cell : (cell: string) => decodeLatin(cell, encoding);
  const parser = parse({
    delimiter,
    encoding: isWide(encoding) ? 'utf16le' : 'latin1',
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: MAX_ROW,
    on_record: (cells: string[], { bytes }: Info) => {
      found.push({ cells: cells.map(decode), bytes });
      return null;
    },
  });
  parser.on('error', () => {});
  // Ends although nobody reads the stream.
  return parser.resume();
}

/** The parser's refusal; null when it takes the bytes. */
const write = (parser: Parser, bytes: Uint8Array) =>
  new Promise<{ code?: string } | null>((resolve) =>
    parser.write(bytes, (error) => resolve((error as { code?: string } | null | undefined) ?? null)),
  );

const end = (parser: Parser) =>
  new Promise<{ code?: string } | null>((resolve) => {
    parser.once('error', resolve);
    parser.end(() => resolve(null));
  });

/** Rows from a place that begins one, until the end or a row that is too large. Returns where to go on. */
async function* rowsFrom(
  source: ByteSource,
  layout: Layout,
  start: number,
): AsyncGenerator<Found, { code?: string } | null> {
  const found: Found[] = [];
  const parser = parserOf(layout, found);
  const bytes = source.read(start, source.size);
  try {
    for await (const part of layout.encoding === 'utf-16be' ? swapped(bytes) : bytes) {
      const refused = await write(parser, part);
      yield* found.splice(0);
      if (refused) return refused;
    }
    const refused = await end(parser);
    yield* found.splice(0);
    return refused;
  } finally {
    parser.destroy();
  }
}

/** Rows from a place that begins one. Throws BrokenCsv, which counts rows from there. */
export async function* readCsv(source: ByteSource, layout: Layout, from: number): AsyncGenerator<CsvRow> {
  let start = from;
  let next = from;
  let row = 0;
  while (next < source.size) {
    const rows = rowsFrom(source, layout, start);
    let step = await rows.next();
    for (; !step.done; step = await rows.next()) {
      next = start + step.value.bytes;
      row++;
      yield { cells: step.value.cells, next };
    }
    if (step.value === null) return;
    const after = await endOfRow(source, layout, next);
    if (after === undefined) throw new BrokenCsv(row + 1);
    start = after;
    next = after;
    row++;
    yield { failure: 'row_too_large', next };
  }
}
