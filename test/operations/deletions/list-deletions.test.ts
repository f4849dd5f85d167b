import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keys } from '#shared/table/keys.ts';
import { type Deletable, deletedIds, deletionsOf, makers, remove } from '../../support/deletions.ts';
import { mergeInto } from '../../support/duplicates.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { givenGroup } from '../../support/groups.ts';
import { longIt } from '../../support/long.ts';
import { measureTable, splitCost } from '../../support/meter.ts';
import { givenContact } from '../../support/proposals.ts';
import { afterDays, runRemovals } from '../../support/removed-records.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

const types = Object.keys(makers) as Deletable[];

describe('GET /{record_type}/deleted', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let linus: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true, own_table: true });
    ({ ada, grace, linus } = workspace);
  });
  afterAll(() => workspace.stop());

  const share = (record_type: Deletable, record_id: string, target: object) =>
    ada.api.createShare({ params: { record_type, record_id }, body: { share: target } });
  const deleted = async (type: Deletable, id: string) => {
    expect((await remove[type](ada, id)).status).toBe(204);
    return id;
  };
  const everybodys = async (name: string) => deleted('contacts', (await givenContact(ada, { name })).id);

  longIt.each(types)('200: who saw one of the deleted %s finds its id, and nobody else', async (type) => {
    const make = (draft: object = {}) => makers[type](workspace, ada, draft);
    // Events are for the readers of their calendars' mailboxes in any case.
    const hidden = type === 'calendar_events' ? {} : { visibility: 'private' };
    const [own, shared] = [await make(hidden), await make(hidden)];
    await share(type, shared.id, { user_id: grace.user.id });
    const before = Date.now();
    await deleted(type, own.id);
    await deleted(type, shared.id);
    expect(await deletedIds(ada, type)).toEqual([own.id, shared.id]);
    expect(await deletedIds(grace, type)).toEqual([shared.id]);
    expect(await deletedIds(linus, type)).toEqual([]);
    expect(await deletedIds(workspace.hank, type)).toEqual([]);
    const [deletion] = (await deletionsOf(grace, type)).records;
    expect(deletion).toMatchObject({ id: shared.id, merged_into: null });
    expect(Date.parse(deletion!.deleted_at)).toBeGreaterThanOrEqual(before);
    await runRemovals(workspace);
    expect(await deletedIds(grace, type)).toEqual([shared.id]);
    if (type === 'calendar_events') return;
    const open = await deleted(type, (await make()).id);
    expect(await deletedIds(linus, type)).toEqual([open]);
    expect(await deletedIds(grace, type)).toEqual([shared.id, open]);
  });

  longIt('has the oldest first, in pages; each page goes on where the one before it ended', async () => {
    const since = new Date().toISOString();
    const all: string[] = [];
    for (let i = 0; i < 7; i++) all.push(await everybodys(`Paged ${i}`));
    const found: string[] = [];
    let next: string | null = null;
    do {
      const cursor: object = next === null ? {} : { next_cursor: next };
      const page = await deletionsOf(grace, 'contacts', { after: since, limit: 3, ...cursor });
      found.push(...page.records.map(({ id }) => id));
      next = page.page_info.next_cursor;
    } while (next !== null);
    expect(found).toEqual(all);
  });

  it('an incremental reader who asks with the last moment misses nothing and reads nothing twice', async () => {
    let after = new Date().toISOString();
    const read = async () => {
      const { records } = await deletionsOf(grace, 'contacts', { after });
      after = records.at(-1)?.deleted_at ?? after;
      return records.map(({ id }) => id);
    };
    const first = [await everybodys('One'), await everybodys('Two')];
    expect(await read()).toEqual(first);
    expect(await read()).toEqual([]);
    const third = await everybodys('Three');
    expect(await read()).toEqual([third]);
  });

  longIt('a merged contact is a deletion too; its heir is named to those who see it', async () => {
    const contact = () => givenContact(ada, { name: 'Twin', visibility: 'private' });
    const [one, two, three] = [await contact(), await contact(), await contact()];
    await share('contacts', two.id, { user_id: grace.user.id });
    await share('contacts', three.id, { user_id: linus.user.id });
    const since = new Date().toISOString();
    await mergeInto(ada, one.id, two.id);
    const heirOf = async (user: TestUser) =>
      (await deletionsOf(user, 'contacts', { after: since })).records.map((each) => [
        each.id,
        each.merged_into,
      ]);
    expect(await heirOf(ada)).toEqual([[two.id, one.id]]);
    expect(await heirOf(linus)).toEqual([]);
    await runRemovals(workspace);
    expect(await heirOf(grace)).toEqual([[two.id, one.id]]);
    await mergeInto(ada, three.id, one.id);
    await runRemovals(workspace);
    expect(await heirOf(ada)).toEqual([
      [two.id, three.id],
      [one.id, three.id],
    ]);
    await deleted('contacts', three.id);
    expect(await heirOf(linus)).toEqual([[three.id, null]]);
    expect((await heirOf(ada)).map(([, heir]) => heir)).toEqual([null, null, null]);
  });

  longIt('who saw it through a group finds it, also among hundreds', async () => {
    const group = await givenGroup(ada, [grace, linus]);
    const { id } = await givenContact(ada, {
      visibility: 'private',
      email_addresses: Array.from({ length: 60 }, (_, i) => ({ email_address: `p${i}@bin${i}.example` })),
    });
    await share('contacts', id, { group_id: group.id });
    await deleted('contacts', id);
    await runRemovals(workspace);
    for (const user of [ada, grace, linus])
      expect(await deletedIds(user, 'contacts', { limit: 100 })).toContain(id);
  });

  longIt('forgets after 90 days, and leaves nothing in the table', async () => {
    const { id } = await givenContact(ada, { name: 'Forgotten' });
    await deleted('contacts', id);
    await runRemovals(workspace);
    await afterDays(workspace, 89);
    expect(await deletedIds(grace, 'contacts', { limit: 100 })).toContain(id);
    await afterDays(workspace, 31);
    await afterDays(workspace, 92);
    expect(await deletedIds(grace, 'contacts', { limit: 100 })).not.toContain(id);
    expect(await workspace.table.all(keys.record('contacts', id).PK)).toEqual([]);
  });

  it('costs at most three round trips after authentication, on page 1 and on others', async () => {
    workspace.setTime(new Date('2060-01-01T10:30:00Z'));
    for (let i = 0; i < 5; i++) await everybodys(`Cost ${i}`);
    const costOf = async (query: object) => {
      const cost = await measureTable(workspace.table, () => deletionsOf(grace, 'contacts', query));
      return splitCost(cost, 'read').operation;
    };
    const { page_info } = await deletionsOf(grace, 'contacts', { limit: 2 });
    expect((await costOf({ limit: 2 })).depth).toBeLessThanOrEqual(2);
    const next_cursor = page_info.next_cursor as string;
    expect((await costOf({ limit: 2, next_cursor })).depth).toBeLessThanOrEqual(2);
    workspace.setTime(undefined);
  });

  it('400 for parameters that cannot be understood', async () => {
    const list = (query: object) =>
      ada.reader.listDeletions({ params: { record_type: 'contacts' }, query: query as never });
    expect(await problemsOf(list({ after: 'soon', limit: 0 }))).toEqual({
      after: 'invalid_format',
      limit: 'invalid',
    });
    expect(await codeOf(list({ next_cursor: 'made up' }))).toBe('400 invalid_cursor');
    const { next_cursor } = (await deletionsOf(ada, 'contacts', { limit: 1 })).page_info;
    const other = ada.reader.listDeletions({
      params: { record_type: 'deals' },
      query: { limit: 1, next_cursor: next_cursor as string },
    });
    expect(await codeOf(other)).toBe('400 invalid_cursor');
  });
});
