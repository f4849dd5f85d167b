import type { Conjunction } from './conjunction.ts';
import type { Posting } from './posting.ts';

/** Counts page by page, each twice as large as the one before, up to the cap; the first is no larger than the cap. */
export async function countPages<P extends Posting>(
  source: Pick<Conjunction<P>, 'take'>,
  { cap, largest }: { cap: number; largest: number },
  count: (postings: P[]) => Promise<number>,
): Promise<number> {
  let total = 0;
  let wanted = Math.min(largest, cap);
  while (total < cap) {
    const postings = await source.take(wanted);
    if (postings.length === 0) break;
    total += await count(postings);
    wanted = Math.min(largest, 2 * wanted);
  }
  return total;
}
