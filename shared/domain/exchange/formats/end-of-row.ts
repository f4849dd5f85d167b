import type { Layout } from './csv-reader.ts';
import { isWide } from './encoding.ts';
import type { ByteSource } from './source.ts';

/** Where a reader stands in a row; `quote` is after a quotation mark that closes a cell, or is the first of two. */
type Place = 'start' | 'plain' | 'quoted' | 'quote' | 'return' | 'end';

/** As the library reads: a quotation mark within a cell that did not begin with one is text. */
function after(place: Place, sign: string, delimiter: string): Place {
  if (place === 'quoted') return sign === '"' ? 'quote' : 'quoted';
  if (sign === '"' && place === 'quote') return 'quoted';
  if (sign === '"' && place === 'start') return 'quoted';
  if (sign === delimiter) return 'start';
  if (sign === '\r') return 'return';
  return sign === '\n' ? 'end' : 'plain';
}

/**
 * Where the row ends that begins at `start`, in constant memory, however large it is. Undefined when a quotation mark
 * in it is not closed.
 */
export async function endOfRow(
  source: ByteSource,
  { encoding, delimiter }: Layout,
  start: number,
): Promise<number | undefined> {
  const wide = isWide(encoding);
  // Every byte is one character of Latin-1, and the signs that count are the same in UTF-8.
  const decoder = new TextDecoder(wide ? encoding : 'latin1', { ignoreBOM: true });
  const width = wide ? 2 : 1;
  let place: Place = 'start';
  let at = start;
  for await (const bytes of source.read(start, source.size))
    for (const sign of decoder.decode(bytes, { stream: true })) {
      if (place === 'return') return sign === '\n' ? at + width : at;
      at += width * sign.length;
      place = after(place, sign, delimiter);
      if (place === 'end') return at;
    }
  return place === 'quoted' ? undefined : source.size;
}
