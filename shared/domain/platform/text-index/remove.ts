import { keys } from '#shared/table/keys.ts';
import type { Item, Table } from '#shared/table/table.ts';
import type { GoneItem } from './docs.ts';
import { Packer, unpacked } from './packed.ts';
import { blockPages, docsPages, type IndexState, NO_DOC, type SegmentInfo, type StaleItem } from './store.ts';

/**
 * Takes documents out of an index, and earlier states of those that changed. It is noted first; whoever sorts the index takes their
 * words out of its segments, so that nothing is left of them.
 */

const findGone = (table: Table, owner: string): Promise<GoneItem[]> =>
  table.all<GoneItem>(keys.textIndex(owner).PK, keys.textGone(owner, '').SK);

/** The numbers of these documents in a segment, by their ids. */
async function numbersOf(
  table: Table,
  owner: string,
  segment: string,
  ids: ReadonlySet<string>,
): Promise<Map<string, number>> {
  const numbers = new Map<string, number>();
  let first = 0;
  for await (const page of docsPages(table, owner, segment))
    for (const { docs } of page) {
      for (const [place, { id }] of docs.entries()) if (ids.has(id)) numbers.set(id, first + place);
      first += docs.length;
    }
  return numbers;
}

async function forgetWords(
  table: Table,
  owner: string,
  segment: string,
  gone: ReadonlySet<number>,
): Promise<void> {
  for await (const page of blockPages(table, owner, segment)) {
    const changed = page.flatMap((item) => {
      const postings = [...unpacked(item.bytes)];
      if (!postings.some(({ numbers }) => numbers.some((number) => gone.has(number)))) return [];
      const packer = new Packer();
      for (const { word, numbers } of postings) {
        const left = numbers.filter((number) => !gone.has(number));
        if (left.length > 0) packer.add({ word, numbers: left });
      }
      return [{ put: { ...item, bytes: packer.bytes() } }];
    });
    await table.writeMany(changed);
  }
}

async function blank(table: Table, owner: string, segment: string, gone: ReadonlySet<string>): Promise<void> {
  for await (const page of docsPages(table, owner, segment)) {
    const changed = page.filter(({ docs }) => docs.some(({ id }) => gone.has(id)));
    await table.writeMany(
      changed.map((item) => ({
        put: { ...item, docs: item.docs.map((doc) => (gone.has(doc.id) ? NO_DOC : doc)) },
      })),
    );
  }
}

export async function hasIndex(table: Table, owner: string): Promise<boolean> {
  const { items } = await table.query<Item>({ partition: keys.textIndex(owner).PK, limit: 1 });
  return items.length > 0;
}

/** With all that it has. */
export async function removeIndex(table: Table, owner: string): Promise<void> {
  const { PK } = keys.textIndex(owner);
  for await (const page of table.pages<Item>(PK))
    await table.writeMany(page.map(({ SK }) => ({ delete: { PK, SK } })));
}

/** Words before documents: a worker that dies in between finds the documents again. */
async function takeOut(
  table: Table,
  owner: string,
  segment: string,
  numbers: ReadonlyMap<string, number>,
): Promise<void> {
  if (numbers.size === 0) return;
  await forgetWords(table, owner, segment, new Set(numbers.values()));
  await blank(table, owner, segment, new Set(numbers.keys()));
}

type Segments = Pick<IndexState, 'segments'>;

export async function forgetGone(table: Table, owner: string, { segments }: Segments): Promise<void> {
  const items = await findGone(table, owner);
  if (items.length === 0) return;
  const gone = new Set(items.map(({ id }) => id));
  for (const { id } of segments) await takeOut(table, owner, id, await numbersOf(table, owner, id, gone));
  const { PK } = keys.textIndex(owner);
  await table.writeMany(items.map(({ SK }) => ({ delete: { PK, SK } })));
}

/** Of a size, later segments are newer; a larger one is older than all smaller ones. */
const newestFirst = (segments: SegmentInfo[]) => segments.toReversed().sort((a, b) => a.level - b.level);

/** Of documents that changed, only the newest segment that has them keeps them. */
export async function forgetStale(table: Table, owner: string, { segments }: Segments): Promise<void> {
  const { PK, SK } = keys.textStale(owner);
  const items = await table.all<StaleItem>(PK, SK);
  const stale = new Set(items.flatMap(({ ids }) => ids));
  const kept = new Set<string>();
  for (const { id } of newestFirst(segments)) {
    const numbers = await numbersOf(table, owner, id, stale);
    await takeOut(table, owner, id, new Map([...numbers].filter(([doc]) => kept.has(doc))));
    for (const doc of numbers.keys()) kept.add(doc);
  }
  await table.writeMany(items.map((item) => ({ delete: { PK, SK: item.SK } })));
}
