import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { singular } from '#shared/domain/collaboration/records/types.ts';
import { Dice } from '../../../support/dice.ts';
import { givenFile } from '../../../support/files.ts';
import { rounds } from '../../../support/long.ts';
import { asJson, bearer, raw } from '../../../support/raw.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/**
 * Lists with cursors are read page by page while others create, rename, tag and delete records among theirs: a record
 * that does not change meanwhile is on one page, once. As test/domain/mail/threads/lists-while-writing.long.test.ts.
 */

const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000_000);
/** Records that do not change, and as many that do: together three pages, and each kind alone more than one. */
const EACH = 55;
const AT_ONCE = 5;
/** In the name of every record. */
const WORD = 'lantern';

interface Family {
  type: 'contacts' | 'organizations' | 'files' | 'tasks';
  /** What finds all steady records. */
  queries: string[];
  tagged: boolean;
}

const sorted = (...names: string[]) =>
  names.flatMap((name) => ['asc', 'desc'].map((order) => `sort=${name}&order=${order}`));
const common = ['slice=mine', `query=${WORD}`];
const byTag = [`query=${WORD}&tags={tag}`, 'tags={tag}'];

const families: Family[] = [
  {
    type: 'contacts',
    queries: [...sorted('name', 'created_at', 'updated_at'), ...common, ...byTag],
    tagged: true,
  },
  { type: 'organizations', queries: [...sorted('name', 'updated_at'), ...common], tagged: false },
  { type: 'files', queries: [...sorted('created_at', 'name', 'size'), ...common, ...byTag], tagged: true },
  { type: 'tasks', queries: ['', 'slice=open', 'slice=created', `query=${WORD}`], tagged: false },
];

describe.each(families)('paging through $type while they are written', ({ type, queries, tagged }) => {
  let workspace: Workspace;
  let tag_id: string;
  let requests = 0;
  const dice = new Dice(SEED);
  const steady = new Set<string>();
  const busy = new Set<string>();
  const started = Date.now();
  const wrapper = singular(type);

  beforeAll(async () => {
    workspace = await startWorkspace();
    tag_id = (await workspace.ada.api.createTag({ body: { tag: { name: 'Kept' } } })).body.tag.id;
    // One beside the other in every order.
    for (let i = 0; i < EACH; i += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, pair));
  });
  afterAll(() => workspace?.stop());

  async function send(user: TestUser, method: string, path: string, body?: object) {
    // A moment for every request keeps the keys below their limits.
    workspace.setTime(new Date(started + 150 * requests++));
    const { status, json } = await raw(workspace.url, {
      method,
      path,
      headers: [bearer(user.write_key), ...(body ? [asJson] : [])],
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    // What is changed between two pages may be deleted at once.
    if (json.error?.code !== 'record_not_found') expect(status, JSON.stringify(json)).toBeLessThan(300);
    return json;
  }

  /** Anywhere in the order by names, and in that of tasks. */
  const drawn = () => ({
    name: `${String.fromCharCode(97 + dice.int(0, 25))}${dice.int(0, 999)} ${WORD}`,
    ...(type === 'tasks' ? { due_at: new Date(started + dice.int(1, 1e9)).toISOString() } : {}),
  });

  async function given(user: TestUser): Promise<string> {
    const fields = { ...drawn(), visibility: 'account' as const };
    if (type === 'files') return (await givenFile(workspace, user, { ...fields, size: dice.int(0, 999) })).id;
    const json = await send(user, 'POST', `/${type}`, { [wrapper]: fields });
    return (json[wrapper] as { id: string }).id;
  }
  async function pair() {
    const id = await given(workspace.ada);
    if (tagged) await put(workspace.ada, id);
    steady.add(id);
    busy.add(await given(workspace.grace));
  }
  const put = (user: TestUser, id: string) => send(user, 'POST', `/${type}/${id}/taggings`, { tag_id });

  const changes: ((user: TestUser, id: string) => Promise<unknown>)[] = [
    (user, id) => send(user, 'PATCH', `/${type}/${id}`, { [wrapper]: drawn() }),
    (user, id) => send(user, 'DELETE', `/${type}/${id}`).then(() => busy.delete(id)),
    ...(tagged
      ? [put, (user: TestUser, id: string) => send(user, 'DELETE', `/${type}/${id}/taggings/${tag_id}`)]
      : []),
  ];

  /** One after the other, until stopped; about as many come as go. */
  async function write(stopped: () => boolean): Promise<void> {
    while (!stopped()) {
      if (busy.size < EACH) busy.add(await given(workspace.grace));
      await dice.pick(changes)(workspace.grace, dice.pick([...busy]));
    }
  }

  /** The ids of each page; `between` is called with them before the next. */
  async function walk(query: string, between: (ids: string[]) => Promise<unknown>): Promise<string[][]> {
    const pages: string[][] = [];
    const filters = query.replace('{tag}', tag_id);
    for (let next: string | null = ''; next !== null; ) {
      const cursor: string = next === '' ? '' : `&next_cursor=${encodeURIComponent(next)}`;
      const { collection } = (await send(workspace.ada, 'GET', `/${type}?${filters}${cursor}`)) as {
        collection: { records: { id: string }[]; page_info: { next_cursor: string | null } };
      };
      const ids = collection.records.map(({ id }) => id);
      pages.push(ids);
      next = collection.page_info.next_cursor;
      await between(ids);
    }
    return pages;
  }

  /** The record at which the next page begins is moved or deleted, when it is one of those that change. */
  const loosen = async (ids: string[]) => {
    const last = ids.at(-1);
    if (last && busy.has(last)) await dice.pick(changes)(workspace.grace, last);
  };

  it('skips and repeats none that does not change', { timeout: 600_000 }, async () => {
    for (let round = 0; round < rounds(1, 24); round++) {
      let done = false;
      const writing = write(() => done);
      const walks = await Promise.all(queries.map((query) => walk(query, loosen))).finally(() => {
        done = true;
      });
      await writing;
      for (const [i, pages] of walks.entries()) {
        const found = pages.flat().filter((id) => steady.has(id));
        expect(pages.length).toBeGreaterThan(1);
        expect(found.toSorted(), `${queries[i]}, seed ${SEED}`).toEqual([...steady].sort());
      }
    }
    const all = (await walk('', async () => undefined)).flat();
    expect(all.sort()).toEqual([...steady, ...busy].sort());
  });
});
