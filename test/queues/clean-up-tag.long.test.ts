import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RecordItem } from '#shared/domain/collaboration/records/live.ts';
import { type CleanUpJob, cleanUpTag } from '#shared/domain/collaboration/tags/clean-up.ts';
import type { Tag } from '#shared/domain/collaboration/tags/tag.ts';
import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import { newJob, sweepJobs } from '#shared/domain/platform/jobs/job.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { handler } from '../../functions/queues/clean-up-tag.ts';
import { failCall } from '../support/faults.ts';
import { rounds, STRIDE } from '../support/long.ts';
import { measureTable } from '../support/meter.ts';
import { countRequestTrips } from '../support/round-trips.ts';
import {
  expectCleanedUp,
  expectConsistent,
  givenTagged,
  openCleanUps,
  readStored,
  runCleanUp,
} from '../support/tags.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

/** Records that carry a deleted tag: a quarter of them in CI. 10,000 take a minute, so they need RECORDS=10000. */
const MANY = Number(process.env.RECORDS ?? rounds(250, 1_000));

describe('the clean-up of a deleted tag', () => {
  let workspace: Workspace;
  // A table for each test: most of them read all of it.
  beforeEach(async () => {
    workspace = await startWorkspace({ own_table: true });
  });
  afterEach(() => workspace.stop());

  let made = 0;
  const create = async () =>
    (await workspace.ada.api.createTag({ body: { tag: { name: `Tag ${made++}` } } })).body.tag.id;
  const given = (tag_ids: string[], number: number, type?: 'contacts' | 'threads' | 'deals') =>
    givenTagged(workspace, workspace.account_id, tag_ids, number, type);
  const countOf = async (id: string) =>
    (await workspace.ada.reader.retrieveTag({ params: { id } })).body.tag.contact_count;
  const tagOf = (id: string) => workspace.table.get<Tag>(keys.tag(workspace.account_id, id));
  const carriedBy = async (ids: string[], type: 'contacts' | 'deals' = 'contacts') => {
    const { carried } = await readStored(workspace.table, workspace.account_id);
    return ids.map((id) => carried[keys.record(type, id).PK] ?? []);
  };

  /** Deletes the tag; nothing receives the message of the job. */
  async function remove(id: string, replacement_tag_id?: string): Promise<CleanUpJob> {
    await workspace.ada.api.deleteTag({
      params: { id },
      body: replacement_tag_id ? { replacement_tag_id } : {},
    });
    return (await openCleanUps(workspace)).find(({ tag_id }) => tag_id === id) as CleanUpJob;
  }

  it('removes the tag from records of every type, and ends its job', async () => {
    const tag = await create();
    const other = await create();
    const alone = await given([tag], 3);
    const both = await given([tag, other], 2);
    for (const type of ['threads', 'deals'] as const) await given([tag], 2, type);
    const job = await remove(tag);
    expect(await runCleanUp(workspace, job)).toBe('done');
    await expectCleanedUp(workspace.table, workspace.account_id);
    expect(await carriedBy([...alone, ...both])).toEqual([[], [], [], [other], [other]]);
    expect(await openCleanUps(workspace)).toEqual([]);
  });

  it('gives every record the replacement; records that carry both lose only the deleted tag', async () => {
    const [tag, next, other] = [await create(), await create(), await create()];
    const records = [
      ...(await given([tag], 2)),
      ...(await given([tag, next], 2)),
      ...(await given([tag, other], 1)),
      ...(await given([next], 1)),
    ];
    await runCleanUp(workspace, await remove(tag, next));
    await expectCleanedUp(workspace.table, workspace.account_id);
    expect(await carriedBy(records)).toEqual([[next], [next], [next], [next], [next, other].sort(), [next]]);
    expect((await tagOf(next))?.contact_count).toBe(6);
  });

  it('keeps the tag for a day, for requests that have read a record before, then lets it expire', async () => {
    const tag = await create();
    await given([tag], 1);
    const job = await remove(tag);
    expect(await tagOf(tag)).not.toHaveProperty('expires_epoch');
    await runCleanUp(workspace, job);
    const expires = Number((await tagOf(tag))?.expires_epoch);
    expect(Math.abs(expires - Date.now() / 1_000 - 86_400)).toBeLessThan(60);
  });

  it('handles a message twice, and long after the job is done, without a change', async () => {
    const [tag, next] = [await create(), await create()];
    await given([tag], 30);
    const job = await remove(tag, next);
    for (let i = 0; i < 3; i++) expect(await runCleanUp(workspace, job)).toBe('done');
    await expectCleanedUp(workspace.table, workspace.account_id);
    expect(await countOf(next)).toBe(30);
    await workspace.table.delete(keys.tag(workspace.account_id, tag));
    expect(await runCleanUp(workspace, job)).toBe('done');
    expect(await countOf(next)).toBe(30);
  });

  it('changes each record once when three workers have the same message', async () => {
    const [tag, next] = [await create(), await create()];
    await given([tag], 60);
    await given([tag, next], 30);
    const job = await remove(tag, next);
    await Promise.all([1, 2, 3].map(() => runCleanUp(workspace, job)));
    await expectCleanedUp(workspace.table, workspace.account_id);
    expect(await countOf(next)).toBe(90);
    expect(await openCleanUps(workspace)).toEqual([]);
  });

  it('leaves a tag that is not deleted alone', async () => {
    const tag = await create();
    const records = await given([tag], 2);
    const { id } = newJob('clean-up-tag', {}, new Date());
    await runCleanUp(workspace, { job_id: id, account_id: workspace.account_id, tag_id: tag });
    expect(await carriedBy(records)).toEqual([[tag], [tag]]);
  });

  it.each([
    ['first to last', [0, 1, 2]],
    ['last to first', [2, 1, 0]],
    ['in between', [1, 2, 0]],
  ])('a chain of replacements ends in its last tag, in any order: %s', async (_, order) => {
    const [a, b, c, last] = [await create(), await create(), await create(), await create()];
    const records = [
      ...(await given([a], 2)),
      ...(await given([a, b], 1)),
      ...(await given([a, c], 1)),
      ...(await given([b, last], 1)),
      ...(await given([a, b, c, last], 1)),
      ...(await given([c], 1)),
    ];
    const jobs = [await remove(a, b), await remove(b, c), await remove(c, last)];
    expect(await countOf(last)).toBe(7);
    for (const i of order) {
      await runCleanUp(workspace, jobs[i] as CleanUpJob);
      await expectConsistent(workspace.table, workspace.account_id);
      expect(await countOf(last)).toBe(7);
    }
    await expectCleanedUp(workspace.table, workspace.account_id);
    expect(await carriedBy(records)).toEqual(records.map(() => [last]));
  });

  it('a replacement that is replaced while the clean-up runs is passed over', async () => {
    const [tag, next, last] = [await create(), await create(), await create()];
    const records = await given([tag], 60);
    const job = await remove(tag, next);
    const { table } = workspace;
    const transact = table.transact.bind(table);
    let transactions = 0;
    const spy = vi.spyOn(table, 'transact').mockImplementation(async (writes) => {
      if (++transactions === 2) {
        spy.mockRestore();
        await remove(next, last);
      }
      await transact(writes);
    });
    await runCleanUp(workspace, job);
    expect(await countOf(last)).toBe(60);
    for (const open of await openCleanUps(workspace)) await runCleanUp(workspace, open);
    await expectCleanedUp(workspace.table, workspace.account_id);
    expect(await carriedBy(records)).toEqual(records.map(() => [last]));
  });

  it.each([
    ['another tag is applied', true],
    ['another run settles the record', false],
  ])('keeps a change between reading and writing: %s', async (_, applied) => {
    const [tag, other, next] = [await create(), await create(), await create()];
    const { body } = await workspace.ada.api.createContact({ body: { contact: { name: 'Somebody' } } });
    const params = { record_type: 'contacts' as const, record_id: body.contact.id };
    const apply = (tag_id: string) => workspace.ada.api.applyTag({ params, body: { tag_id } });
    await apply(tag);
    const job = await remove(tag, next);
    const { table } = workspace;
    const transact = table.transact.bind(table);
    const spy = vi.spyOn(table, 'transact').mockImplementation(async (writes) => {
      spy.mockRestore();
      if (applied) await apply(other);
      else await runCleanUp(workspace, job);
      await transact(writes);
    });
    await runCleanUp(workspace, job);
    await expectCleanedUp(workspace.table, workspace.account_id);
    const expected = applied ? [next, other] : [next];
    expect(await carriedBy([body.contact.id])).toEqual([expected.toSorted()]);
  });

  it('a chain still leads to its last tag after the one in the middle has expired', async () => {
    const [tag, next, last] = [await create(), await create(), await create()];
    const records = await given([tag], 2);
    const job = await remove(tag, next);
    await runCleanUp(workspace, await remove(next, last));
    await workspace.table.delete(keys.tag(workspace.account_id, next));
    expect(await countOf(last)).toBe(2);
    await runCleanUp(workspace, job);
    expect(await carriedBy(records)).toEqual([[last], [last]]);
  });

  it('what took its place knows it for good, also when that is replaced in turn', async () => {
    const [tag, next, last] = [await create(), await create(), await create()];
    const jobs = [await remove(tag, next)];
    await runCleanUp(workspace, jobs[0] as CleanUpJob);
    expect((await tagOf(next))?.replaces).toEqual(new Set([tag]));
    jobs.push(await remove(next, last));
    for (const job of [...jobs, ...jobs]) await runCleanUp(workspace, job);
    expect((await tagOf(last))?.replaces).toEqual(new Set([tag, next]));
    await runCleanUp(workspace, await remove(last));
    await expectCleanedUp(workspace.table, workspace.account_id);
  });

  it('what took its place knows a thousand ids, whose item would otherwise be full', async () => {
    const [tag, next] = [await create(), await create()];
    const { table, account_id } = workspace;
    const former = Array.from({ length: 12_000 }, (_, i) => newId(new Date(i)));
    const replaced = [former.slice(6_000), former.slice(0, 6_000)];
    for (const [i, id] of [tag, next].entries())
      await table.update<Tag>(keys.tag(account_id, id), { set: { replaces: new Set(replaced[i]) } });
    await runCleanUp(workspace, await remove(tag, next));
    expect((await tagOf(next))?.replaces).toEqual(new Set([tag, ...former.slice(-999)]));
    const second = await create();
    await runCleanUp(workspace, await remove(second, next));
    expect((await tagOf(next))?.replaces).toEqual(new Set([second, tag, ...former.slice(-998)]));
  });

  it('drops what is left of records that are gone or were merged away', async () => {
    const [tag, next] = [await create(), await create()];
    const [gone, merged, merging] = (await given([tag], 3)) as [string, string, string];
    const { table } = workspace;
    await table.delete(keys.record('contacts', gone));
    const merge = (id: string, merging?: true) =>
      table.update<RecordItem>(keys.record('contacts', id), { set: { merged_into: next, merging } });
    await merge(merged);
    await table.update<Contact>(keys.record('contacts', merged), { remove: ['tag_ids'] });
    await merge(merging, true);
    await runCleanUp(workspace, await remove(tag, next));
    await expectCleanedUp(table, workspace.account_id);
    expect(await table.get(keys.record('contacts', gone))).toBeUndefined();
    expect(await carriedBy([merged, merging])).toEqual([[], [next]]);
  });

  it('ends in the same state whichever call to the table fails', { timeout: 120_000 }, async () => {
    // Of a type without lists, whose calls would be many more; they have tests of their own.
    const dealsWith = async (next: string) =>
      (await workspace.ada.reader.retrieveTag({ params: { id: next } })).body.tag.deal_count;
    const expected = async (next: string, records: string[]) => {
      await expectCleanedUp(workspace.table, workspace.account_id);
      expect(await carriedBy(records, 'deals')).toEqual(records.map(() => [next]));
      expect(await dealsWith(next)).toBe(records.length);
      expect(await openCleanUps(workspace)).toEqual([]);
    };
    for (let call = 1, reached = true; reached; call += STRIDE)
      for (const when of ['before', 'after'] as const) {
        const [tag, next] = [await create(), await create()];
        const records = [...(await given([tag], 25, 'deals')), ...(await given([tag, next], 1, 'deals'))];
        const job = await remove(tag, next);
        const fault = failCall(workspace.table, call, when);
        await runCleanUp(workspace, job).catch(() => undefined);
        fault.remove();
        reached = fault.hit;
        await expectConsistent(workspace.table, workspace.account_id);
        expect(await dealsWith(next)).toBe(records.length);
        await runCleanUp(workspace, job);
        await expected(next, records);
      }
  });

  it('reads the list again when the index is behind the table, and does not end before', async () => {
    const tag = await create();
    const records = await given([tag], 3);
    const job = await remove(tag);
    const { table } = workspace;
    const query = table.query.bind(table);
    let behind = 8;
    const spy = vi
      .spyOn(table, 'query')
      .mockImplementation((input) =>
        input.index && behind-- > 0
          ? Promise.resolve({ items: [], last: undefined })
          : (query(input) as never),
      );
    expect(await runCleanUp(workspace, job)).toBe('done');
    spy.mockRestore();
    expect(behind).toBeLessThanOrEqual(0);
    expect(await carriedBy(records)).toEqual([[], [], []]);
  });

  it('fails, and is tried again, while a counter exceeds the records that are found', async () => {
    const tag = await create();
    const job = await remove(tag);
    const correct = (difference: number) =>
      workspace.table.update<Tag>(keys.tag(workspace.account_id, tag), {
        add: { contact_count: difference },
      });
    await correct(1);
    await expect(runCleanUp(workspace, job)).rejects.toThrow('counts records');
    expect(await openCleanUps(workspace)).toHaveLength(1);
    await correct(-1);
    expect(await runCleanUp(workspace, job)).toBe('done');
  });

  it('continues with another message where its time was up', async () => {
    const [tag, next] = [await create(), await create()];
    const records = await given([tag], 450);
    const job = await remove(tag, next);
    const states: string[] = [];
    while (states.at(-1) !== 'done') {
      states.push(await cleanUpTag(workspace.ctx, job, () => true));
      await expectConsistent(workspace.table, workspace.account_id);
      expect(await countOf(next)).toBe(records.length);
    }
    expect(states).toEqual(['more', 'more', 'done']);
    await expectCleanedUp(workspace.table, workspace.account_id);
  });

  it.each([
    ['with', true],
    ['without', false],
  ])(
    `${MANY} records, %s a replacement: responds at once, and finishes in few calls`,
    { timeout: 300_000 },
    async (_, replaced) => {
      const [tag, next] = [await create(), await create()];
      await given([tag], MANY - 100);
      await given([tag, next], 100);
      if (MANY < 10_000) console.info(`${MANY} records, to keep the run short: RECORDS=10000 takes all`);
      const params = { id: tag };
      const body = replaced ? { replacement_tag_id: next } : {};
      const response = await countRequestTrips(workspace, workspace.ada, () =>
        workspace.ada.api.deleteTag({ params, body }),
      );
      // Three of authentication, the tags, one transaction.
      expect(response.calls).toHaveLength(replaced ? 6 : 5);
      const left = replaced ? MANY : 100;
      expect(await countOf(next)).toBe(left);
      const [job] = (await openCleanUps(workspace)) as [CleanUpJob];
      const { calls } = await measureTable(workspace.table, () => runCleanUp(workspace, job), 0);
      const transactions = calls.filter(({ command }) => command.startsWith('TransactWrite')).length;
      // And the end of a job for the lists, which reads four times for each record.
      expect(transactions).toBe((2 * MANY) / 25 + 1);
      expect(calls.length).toBeLessThan(transactions * 2 + 4 * MANY + MANY / 100 + 30);
      expect(await countOf(next)).toBe(left);
      const { taggings } = await expectCleanedUp(workspace.table, workspace.account_id);
      expect(taggings).toHaveLength(left);
    },
  );
});

describe('the queue of clean-ups', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ mail: true, own_table: true });
  });
  afterAll(() => workspace?.stop());

  const create = async (name: string) =>
    (await workspace.ada.api.createTag({ body: { tag: { name } } })).body.tag.id;
  const done = async () => (await openCleanUps(workspace)).length === 0;
  const event = (bodies: string[]) =>
    ({
      Records: bodies.map((body, i) => ({
        messageId: `m${i}`,
        body,
        attributes: {},
        eventSource: 'aws:sqs',
      })),
    }) as never;

  /** Deletes a tag whose message nobody gets. */
  async function removeUnheard(id: string): Promise<CleanUpJob> {
    const { config } = workspace.ctx;
    const urls = config.queue_urls;
    config.queue_urls = { ...urls, 'clean-up-tag': `${urls['clean-up-tag']}-nobody` };
    await workspace.ada.api.deleteTag({ params: { id } });
    config.queue_urls = urls;
    return (await openCleanUps(workspace))[0] as CleanUpJob;
  }

  it('is consumed after the response', async () => {
    const [tag, next] = [await create('Queued'), await create('Next')];
    await givenTagged(workspace, workspace.account_id, [tag], 40);
    await workspace.ada.api.deleteTag({ params: { id: tag }, body: { replacement_tag_id: next } });
    await expect.poll(done, { timeout: 10_000 }).toBe(true);
    const { taggings } = await expectCleanedUp(workspace.table, workspace.account_id);
    expect(taggings.filter(({ tag_id }) => tag_id === next)).toHaveLength(40);
  });

  it('is filled by the sweep when a message was lost', async () => {
    const tag = await create('Lost');
    await givenTagged(workspace, workspace.account_id, [tag], 3);
    await removeUnheard(tag);
    expect(await sweepJobs(workspace.ctx)).toBe(0);
    workspace.setTime(new Date(Date.now() + 60 * 60_000));
    expect(await sweepJobs(workspace.ctx)).toBe(1);
    workspace.setTime(undefined);
    await expect.poll(done, { timeout: 10_000 }).toBe(true);
    await expectCleanedUp(workspace.table, workspace.account_id);
  });

  it('gets another message of a job whose time was up', async () => {
    const tag = await create('Long');
    await givenTagged(workspace, workspace.account_id, [tag], 450);
    const job = await removeUnheard(tag);
    const response = await handler(event([JSON.stringify(job)]), { getRemainingTimeInMillis: () => 0 });
    expect(response.batchItemFailures).toEqual([]);
    await expect.poll(done, { timeout: 10_000 }).toBe(true);
    await expectCleanedUp(workspace.table, workspace.account_id);
  });

  it('reports the messages that failed', async () => {
    const response = await handler(event(['no json']), { getRemainingTimeInMillis: () => 300_000 });
    expect(response.batchItemFailures).toEqual([{ itemIdentifier: 'm0' }]);
  });
});
