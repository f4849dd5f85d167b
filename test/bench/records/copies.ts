import type { RecordIndex } from '#shared/domain/collaboration/record-lists/entry.ts';
import type { Counters } from '#shared/domain/collaboration/record-lists/expected-counters.ts';
import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { addAllToCounters, counterItems, listedItems } from '../../support/listed.ts';
import { type Random, randomOf } from '../threads/random.ts';
import { text } from '../threads/words.ts';
import { indexAround } from './around.ts';
import type { Place } from './cases.ts';
import { externalIdItems } from './met.ts';
import { createdAt, writtenAt } from './spacing.ts';
import { capital, planted, plantedIn } from './world.ts';
import { writeAll } from './writing.ts';

/** Records of families beside contacts: one is made, and the others are copies with other values. */

export type Stored = GuardedItem & {
  name: string;
  external_id?: string | null;
  created_at: string;
  updated_at: string | null;
};

/** Where a copy is: one of so many records of its type. */
export interface Amid {
  rows: number;
  place: Place;
}

export interface Copied<R extends Stored> {
  /** Of the number of contacts. */
  share: number;
  index: RecordIndex<R>;
  model(place: Place, table: Table): Promise<R>;
  /** What the record of this number has of its own. */
  own(number: number, among: Amid): Partial<R>;
  tagged: boolean;
  /** A new one when omitted. */
  idOf?(number: number, place: Place): string | undefined;
}

function copyOf<R extends Stored>(
  { own, tagged, index, idOf }: Copied<R>,
  { model, random, rows, place }: { model: R; random: Random; rows: number; place: Place },
  number: number,
): R {
  const { tags, now } = place.world;
  const created = createdAt(number, { rows, now });
  const written = writtenAt(random, created, now);
  const [first = 'a', last = 'b'] = text(random, 2).split(' ');
  const id = idOf?.(number, place) ?? newId(created);
  const tag_ids = tagged ? plantedIn(tags, number, rows) : [];
  return {
    ...model,
    ...keys.record(index.type, id),
    id,
    name: [capital(first), ...plantedIn(planted, number, rows), last].join(' '),
    ...(tag_ids.length > 0 ? { tag_ids: new Set(tag_ids) } : {}),
    created_at: created.toISOString(),
    updated_at: written.toISOString(),
    ...own(number, { rows, place }),
  };
}

export async function storedRecord<R>(
  table: Table,
  type: 'deals' | 'organizations' | 'tasks',
  id: string,
): Promise<R> {
  const item = await table.get(keys.record(type, id));
  if (!item) throw new Error('The record is missing');
  return item as unknown as R;
}

/** How many items were written. */
export async function givenCopies<R extends Stored>(
  table: Table,
  place: Place,
  family: Copied<R>,
): Promise<number> {
  const rows = Math.round(place.world.rows * family.share);
  const making = { model: await family.model(place, table), random: randomOf(rows), rows, place };
  const index = indexAround(family.index, place.world.around);
  const counters: Counters = new Map();
  async function* batches() {
    let last: R | undefined;
    for (let number = 0; number < rows; number++) {
      last = copyOf(family, making, number);
      const items = await listedItems(table, index, last);
      addAllToCounters(counters, items);
      yield items;
    }
    const known = last?.external_id && place.world.around ? externalIdItems(index.type, last as never) : [];
    yield [...counterItems(counters), ...known];
  }
  return writeAll(table, batches());
}
