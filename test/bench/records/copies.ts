import type { RecordIndex } from '#shared/domain/collaboration/record-lists/entry.ts';
import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import type { AnyItem, Table } from '#shared/table/table.ts';
import { addToCounters, listedItems } from '../../support/listed.ts';
import { type Random, randomOf } from '../threads/random.ts';
import { text } from '../threads/words.ts';
import type { Place } from './cases.ts';
import { capital, planted, plantedIn } from './world.ts';
import { writeAll } from './writing.ts';

/** Records of families beside contacts: one is made, and the others are copies with other values. */

const MINUTE = 60_000;

type Stored = GuardedItem & { name: string; created_at: string; updated_at: string | null };

export interface Copied<R extends Stored> {
  /** Of the number of contacts. */
  share: number;
  index: RecordIndex<R>;
  model(place: Place, table: Table): Promise<R>;
  /** What the record of this number has of its own. */
  own(number: number, rows: number, now: Date): Partial<R>;
  tagged: boolean;
}

function copyOf<R extends Stored>(
  { own, tagged, index }: Copied<R>,
  { model, random, rows, place: { world } }: { model: R; random: Random; rows: number; place: Place },
  number: number,
): R {
  const now = new Date(world.now);
  const created = new Date(world.now - (rows - number) * MINUTE);
  const touched = new Date(created.getTime() + Math.floor(random() * rows) * MINUTE);
  const [first = 'a', last = 'b'] = text(random, 2).split(' ');
  const id = newId(created);
  const tag_ids = tagged ? plantedIn(world.tags, number, rows) : [];
  return {
    ...model,
    ...keys.record(index.type, id),
    id,
    name: [capital(first), ...plantedIn(planted, number, rows), last].join(' '),
    ...(tag_ids.length > 0 ? { tag_ids: new Set(tag_ids) } : {}),
    created_at: created.toISOString(),
    updated_at: touched.toISOString(),
    ...own(number, rows, now),
  };
}

/** How many items were written. */
export async function givenCopies<R extends Stored>(
  table: Table,
  place: Place,
  family: Copied<R>,
): Promise<number> {
  const rows = Math.round(place.world.rows * family.share);
  const making = { model: await family.model(place, table), random: randomOf(rows), rows, place };
  const counters = new Map<string, AnyItem>();
  async function* batches() {
    for (let number = 0; number < rows; number++) {
      const items = await listedItems(table, family.index, copyOf(family, making, number));
      addToCounters(counters, items);
      yield items;
    }
    yield [...counters.values()];
  }
  return writeAll(table, batches());
}
