import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../functions/catalogue.ts';
import { type List, lists } from '../support/demo-lists.ts';
import { long } from '../support/long.ts';
import { type Send, senderOf } from '../support/sender.ts';
import { severalRecords } from '../support/several-records.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

/** Every count is the number of records in its list, for each slice and each user (docs/specification/requests.md, "Counts"). */

const counts = operations.map(({ definition }) => definition).filter(({ name }) => name.startsWith('count'));
const listOf = (path: string) => lists.find(({ template }) => `${template}/count` === path) as List;

/** The list itself, and each value of each parameter that makes another list of it. */
const counted = counts.flatMap(({ name, path, query = {} }) => {
  const list = listOf(String(path));
  const slices = Object.entries(list.slices).filter(([parameter]) => parameter in query);
  const searches = slices.flatMap(([parameter, values]) => values.map((value) => `${parameter}=${value}`));
  return ['', ...searches].map((search) => ({
    name: `${name} ${search || 'of all'}`,
    list: list.template,
    search,
    cap: 'cap' in query,
  }));
});

/** Half of them in `npm test`. */
const some = long ? counted : counted.filter((_, i) => i % 2 === 0);

describe('a count', () => {
  let workspace: Workspace;
  let send: Send;
  beforeAll(async () => {
    workspace = await startWorkspace();
    send = senderOf(workspace);
    const { ada, grace } = workspace;
    const { contacts: contact_id = '', tasks = '', deals = '' } = await severalRecords(workspace, ada);
    await ada.api.pinContact({ params: { contact_id } });
    await ada.api.completeTask({ params: { task_id: tasks } });
    const share = { body: { share: { user_id: grace.user.id } } };
    for (const [record_type, record_id] of [
      ['contacts', contact_id],
      ['tasks', tasks],
      ['deals', deals],
    ] as const)
      await ada.api.createShare({ params: { record_type, record_id }, ...share });
  });
  afterAll(() => workspace.stop());

  it.each(counts)('is of several records: $name', async ({ path }) => {
    expect(await recordsOf(workspace.ada.read_key, listOf(String(path)).template, '')).toBeGreaterThan(0);
  });

  it('belongs to a list', () => {
    expect(counts.filter(({ path }) => !listOf(String(path)))).toEqual([]);
    expect(counts.length).toBeGreaterThanOrEqual(7);
  });

  it.each(some)('is that of the list: $name', async ({ list, search, cap }) => {
    for (const { read_key } of [workspace.ada, workspace.grace]) {
      const [total, count] = await Promise.all([
        recordsOf(read_key, list, search),
        countOf(read_key, list, search),
      ]);
      expect(count).toEqual({ total, exact: true, capped: false, cap: null });
      if (!cap || total === 0) continue;
      const capped = { total: 1, exact: false, capped: true, cap: 1 };
      expect(await countOf(read_key, list, `${search}&cap=1`)).toEqual(capped);
    }
  });

  async function recordsOf(key: string, path: string, search: string): Promise<number> {
    const { status, json } = await send(key, 'GET', `${path}?${search}`);
    expect(status, JSON.stringify(json)).toBe(200);
    const { records, page_info, pages } = json.collection as {
      records: object[];
      page_info?: { next_cursor: string | null };
      pages?: number;
    };
    expect(page_info?.next_cursor ?? pages ?? null, 'one page').toBe(pages ? 1 : null);
    return records.length;
  }
  async function countOf(key: string, path: string, search: string) {
    const { status, json } = await send(key, 'GET', `${path}/count?${search}`);
    expect(status, JSON.stringify(json)).toBe(200);
    return json.count;
  }
});
