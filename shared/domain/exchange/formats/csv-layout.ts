import { type Layout, readCsv } from './csv-reader.ts';
import { encodingOf } from './encoding.ts';
import { type ByteSource, beginningOf } from './source.ts';

/** What a file of separated values is made of, from its beginning. */

export interface Sample extends Layout {
  header: string[];
  /** All that are read of its beginning. */
  rows: string[][];
  /** Where the row after the header begins. */
  begin: number;
}

/** Bytes that are looked at. */
const BYTES = 256 * 1024;
/** Rows that tell the delimiter. */
const ROWS = 20;

const DELIMITERS = [',', ';', '\t', '|'];

const sourceOf = (bytes: Buffer): ByteSource => ({
  size: bytes.length,
  async *read(start, end) {
    yield bytes.subarray(start, end);
  },
});

interface Read {
  rows: string[][];
  begin: number;
}

/** The first rows; the last row of the sample may be cut. */
async function firstRows(sample: Buffer, layout: Layout, mark: number): Promise<Read> {
  const rows: string[][] = [];
  let begin = sample.length;
  try {
    for await (const row of readCsv(sourceOf(sample), layout, mark)) {
      if ('failure' in row) break;
      if (rows.length === 0) begin = row.next;
      rows.push(row.cells);
    }
  } catch {
    // The sample ends within quotation marks.
  }
  return { rows, begin };
}

/** Columns that all rows have: the delimiter of the file makes the most of them. */
const width = ({ rows }: Read) => Math.min(...rows.slice(0, ROWS + 1).map((row) => row.length));

/** Undefined for a file without a first row that can be read. */
export async function sampleOf(source: ByteSource): Promise<Sample | undefined> {
  const bytes = await beginningOf(source, BYTES);
  const { encoding, mark } = encodingOf(bytes);
  let best: { delimiter: string; read: Read } | undefined;
  for (const delimiter of DELIMITERS) {
    const read = await firstRows(bytes, { encoding, delimiter }, mark);
    if (read.rows.length > 0 && (!best || width(read) > width(best.read))) best = { delimiter, read };
  }
  if (!best) return undefined;
  const [header = [], ...rows] = best.read.rows;
  return { encoding, delimiter: best.delimiter, header, rows, begin: best.read.begin };
}
