import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Table } from '#shared/table/table.ts';
import { crashAfter, type Fault, failCall } from '../../../support/faults.ts';
import { openJobs } from '../../../support/jobs.ts';
import { SHORT_STRIDE } from '../../../support/long.ts';
import { deleteAs, givenRecord, leftOf, purgeAll, runRemovals } from '../../../support/removed-records.ts';
import { expectConsistent } from '../../../support/tags.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

/** Nothing is left of a deleted record, wherever its deletion is cut off. */
describe.each<[string, number, (table: Table, call: number) => Fault]>([
  ['fails before it is done', 0, (table, call) => failCall(table, call, 'before')],
  ['fails after it is done', 1, (table, call) => failCall(table, call, 'after')],
  ['is the last of a worker', 2, (table, call) => crashAfter(table, call)],
])('a record whose deletion %s at any call', (_what, first, fail) => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
  });
  afterAll(() => workspace.stop());

  const retrieve = (id: string) => workspace.ada.reader.retrieveContact({ params: { id } });
  const jobs = () => openJobs(workspace.table, 'remove-records');

  it('is unchanged, or hidden from everybody and then removed', { timeout: 600_000 }, async () => {
    const { ada, table } = workspace;
    // Other calls of each, where some are left out.
    let calls = first % SHORT_STRIDE;
    for (let reached = true; reached; calls += SHORT_STRIDE) {
      const given = await givenRecord(workspace, { reactions: 101 });
      const before = await leftOf(workspace, given);
      const fault = fail(table, calls + 1);
      await deleteAs(workspace, ada, given.id)
        .then(() => runRemovals(workspace))
        .catch(() => undefined);
      fault.remove();
      reached = fault.hit;
      const left = await leftOf(workspace, given);
      if (await retrieve(given.id).catch(() => undefined)) {
        expect(left).toEqual(before);
        await deleteAs(workspace, ada, given.id);
      }
      await purgeAll(workspace);
      expect(await leftOf(workspace, given)).toEqual([]);
      expect(await jobs()).toEqual([]);
      await expectConsistent(table, workspace.account_id);
    }
    expect(calls).toBeGreaterThan(15);
  });
});
