import { keys } from '#shared/table/keys.ts';
import type { Item, Table } from '#shared/table/table.ts';
import type { GoneItem } from './docs.ts';
import { Packer, unpacked } from './packed.ts';
import { blockPages, docsPages, type IndexState, NO_DOC } from './store.ts';

/**
 * Takes documents out of an index. It is noted first; whoever sorts the index takes their words out of its segments, so that
 * nothing is left of them.
 */

const findGone = (table: Table, owner: string): Promise<GoneItem[]> =>
  table.all<GoneItem>(keys.textIndex(owner).PK, keys.textGone(owner, '').SK);

/** The numbers of these documents in a segment. */
async function numbersOf(
  table: Table,
  owner: string,
  segment: string,
  gone: ReadonlySet<string>,
): Promise<Set<number>> {
  const numbers = new Set<number>();
  let first = 0;
  for await (const page of docsPages(table, owner, segment))
    for (const item of page) {
      const places = item.docs.flatMap(({ id }, i) => (gone.has(id) ? [i] : []));
      for (const place of places) numbers.add(first + place);
      first += item.docs.length;
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
export async function forgetGone(
  table: Table,
  owner: string,
  { segments }: Pick<IndexState, 'segments'>,
): Promise<void> {
  const items = await findGone(table, owner);
  if (items.length === 0) return;
  const gone = new Set(items.map(({ id }) => id));
  for (const { id } of segments) {
    const numbers = await numbersOf(table, owner, id, gone);
    if (numbers.size === 0) continue;
    await forgetWords(table, owner, id, numbers);
    await blank(table, owner, id, gone);
  }
  const { PK } = keys.textIndex(owner);
  await table.writeMany(items.map(({ SK }) => ({ delete: { PK, SK } })));
}
