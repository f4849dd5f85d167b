import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { milestoneIndex } from '#shared/domain/work/milestones/lists.ts';
import { keys } from '#shared/table/keys.ts';
import { crashAfter } from '../../../support/faults.ts';
import { expectListed } from '../../../support/list-places.ts';
import { STRIDE } from '../../../support/long.ts';
import { merge } from '../../../support/merged-records.ts';
import { givenMilestone, milestonesOf, readMilestone } from '../../../support/milestones.ts';
import { givenContact } from '../../../support/proposals.ts';
import { purgeAll, runRemovals } from '../../../support/removed-records.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** Links of tasks and milestones to a contact that is merged or deleted. */
describe('the links to a record that ends', () => {
  let workspace: Workspace;
  let ada: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    ({ ada } = workspace);
  });
  afterAll(() => workspace.stop());

  const about = async (contact_ids: string[]) =>
    (await ada.api.createTask({ body: { task: { name: 'Call', contact_ids } } })).body.task.id;
  const linked = async (id: string) =>
    (await ada.reader.retrieveTask({ params: { id } })).body.task.contact_ids;
  const count = async (contact_id: string) =>
    (await ada.reader.countTasks({ query: { contact_id } })).body.count.total;
  const rowsUnder = async (id: string) =>
    (await workspace.table.all(keys.record('contacts', id).PK, 'LINKED#')).length;

  it('follow a merge, each once, in lists and under the other record', async () => {
    const [from, into, other] = [await givenContact(ada), await givenContact(ada), await givenContact(ada)];
    const one = await about([from.id, other.id]);
    const both = await about([into.id, from.id]);
    await merge(workspace, from.id, into.id);
    await runRemovals(workspace);
    expect([await linked(one), await linked(both)]).toEqual([[into.id, other.id], [into.id]]);
    expect([await count(into.id), await rowsUnder(into.id), await rowsUnder(from.id)]).toEqual([2, 2, 0]);
  });

  it('of a milestone to its parent follow a merge, and end with a deletion', async () => {
    const [from, into] = [await givenContact(ada), await givenContact(ada)];
    const { id } = await givenMilestone(ada, { contact_id: from.id });
    await about([from.id]);
    await merge(workspace, from.id, into.id);
    await runRemovals(workspace);
    const moved = await readMilestone(ada, id);
    expect([moved.contact_id, await rowsUnder(into.id), await rowsUnder(from.id)]).toEqual([into.id, 2, 0]);
    expect(moved.updated_at).toEqual(expect.any(String));
    await ada.api.deleteContact({ params: { id: into.id } });
    await purgeAll(workspace);
    const left = await readMilestone(ada, id);
    expect([left.contact_id, await milestonesOf(ada)]).toEqual([null, [left]]);
    expect(await workspace.table.all(keys.record('contacts', into.id).PK)).toEqual([]);
    await expectListed(workspace.table, milestoneIndex, id);
  });

  it('end with a deletion, of more records than are read at once', async () => {
    const [contact, other] = [await givenContact(ada), await givenContact(ada)];
    const ids = await Promise.all(Array.from({ length: 26 }, () => about([contact.id, other.id])));
    await ada.api.deleteContact({ params: { id: contact.id } });
    await runRemovals(workspace);
    for (const after of await Promise.all(ids.map(linked))) expect(after).toEqual([other.id]);
    expect([await count(other.id), await rowsUnder(other.id)]).toEqual([26, 26]);
  });

  it('follow a merge also when the worker ends after any of its calls', async () => {
    let call = 1;
    for (let reached = true; reached; call += STRIDE) {
      const [from, into] = [await givenContact(ada), await givenContact(ada)];
      const ids = [await about([from.id]), await about([from.id, into.id])];
      await merge(workspace, from.id, into.id);
      const crash = crashAfter(workspace.table, call);
      await runRemovals(workspace).catch(() => undefined);
      crash.remove();
      reached = crash.hit;
      await runRemovals(workspace);
      for (const id of ids) expect(await linked(id)).toEqual([into.id]);
      expect([await count(into.id), await rowsUnder(into.id), await rowsUnder(from.id)]).toEqual([2, 2, 0]);
    }
    expect(call).toBeGreaterThan(STRIDE);
  });
});
