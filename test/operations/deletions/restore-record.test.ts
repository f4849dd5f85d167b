import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listsOfRecords } from '#shared/composition/record-lists.ts';
import { type RestorableType, restorableTypes } from '#shared/domain/collaboration/records/types.ts';
import { versionOf } from '#shared/domain/platform/versions/version.ts';
import { keys } from '#shared/table/keys.ts';
import { deletedIds, deletionsOf, makers, remove, restore, retrieve } from '../../support/deletions.ts';
import { codeOf } from '../../support/failures.ts';
import { openJobs } from '../../support/jobs.ts';
import { expectListed } from '../../support/list-places.ts';
import { cases, longIt } from '../../support/long.ts';
import { afterDays, runRemovals } from '../../support/removed-records.ts';
import { expectConsistent } from '../../support/tags.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

/** Without what every change moves. */
const lasting = (body: object) => {
  const [record] = Object.values(body) as Record<string, unknown>[];
  const { updated_at, ...rest } = record!;
  return rest;
};

describe('POST /{record_type}/{record_id}/restore', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let linus: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true, own_table: true });
    ({ ada, grace, linus } = workspace);
  });
  afterAll(() => workspace.stop());

  const make = (type: RestorableType, draft: object = {}) => makers[type](workspace, ada, draft);
  const share = (record_type: RestorableType, record_id: string, share: object) =>
    ada.api.createShare({ params: { record_type, record_id }, body: { share: share as never } });
  const listed = (type: RestorableType, id: string) =>
    expectListed(workspace.table, listsOfRecords.indexes[type] as never, id);

  describe.each(restorableTypes)('%s', (type) => {
    longIt('200: comes back as it was, with its id, before and after its job', async () => {
      for (const settle of cases([true], [false])) {
        const { id } = await make(type, { visibility: 'private' });
        await share(type, id, { user_id: grace.user.id, access: 'view' });
        const [before, shown] = [await retrieve[type](ada, id), await retrieve[type](grace, id)];
        await remove[type](ada, id);
        if (settle) await runRemovals(workspace);
        expect(await codeOf(retrieve[type](ada, id) as never)).toBe('404 record_not_found');
        const [deletion] = (await deletionsOf(grace, type, { limit: 100 })).records.slice(-1);
        const rests = Date.parse(deletion!.restorable_until!) - Date.parse(deletion!.deleted_at);
        expect(Math.round(rests / 60_000)).toBe(30 * 24 * 60);
        const { status, body } = await restore(ada, type, id);
        expect(status).toBe(200);
        expect(lasting(body)).toEqual(lasting(before));
        expect(await retrieve[type](ada, id)).toEqual(body);
        expect(lasting(await retrieve[type](grace, id))).toEqual(lasting(shown));
        expect(await codeOf(retrieve[type](linus, id) as never)).toBe('404 record_not_found');
        await listed(type, id);
        await runRemovals(workspace);
        await listed(type, id);
        expect(await deletedIds(grace, type, { limit: 100 })).not.toContain(id);
        expect(await openJobs(workspace.table, 'remove-records')).toEqual([]);
      }
    });

    it('a repeat is a no-op', async () => {
      const { id } = await make(type);
      await remove[type](ada, id);
      const [first, second] = await Promise.all([restore(ada, type, id), restore(ada, type, id)]);
      expect(second.body).toEqual(first.body);
      const again = await ada.api.restoreRecord({ params: { record_type: type, record_id: id } });
      expect(again.body).toEqual(first.body);
      const [record] = Object.values(first.body);
      expect(again.headers.get('etag')).toBe(`"${versionOf(record as object)}"`);
    });

    longIt(
      '404 for those who could not delete it, for others, and after 30 days; 403 for a reader of one that is there',
      async () => {
        const { id } = await make(type, { visibility: 'private' });
        await share(type, id, { user_id: grace.user.id, access: 'view' });
        expect(await codeOf(restore(grace, type, id))).toBe('403 permission_denied');
        await remove[type](ada, id);
        await runRemovals(workspace);
        for (const user of [grace, linus, workspace.hank])
          expect(await codeOf(restore(user, type, id))).toBe('404 record_not_found');
        await afterDays(workspace, 29.9);
        await afterDays(workspace, 30.1);
        expect(await codeOf(restore(ada, type, id))).toBe('404 record_not_found');
        expect(await workspace.table.get(keys.record(type, id))).toBeUndefined();
        expect(
          (await deletionsOf(ada, type, { limit: 100 })).records.find((each) => each.id === id),
        ).toMatchObject({
          restorable_until: null,
        });
      },
    );

    longIt('is deleted and restored any number of times', async () => {
      const { id } = await make(type);
      for (let i = 0; i < 2; i++) {
        await remove[type](ada, id);
        if (i % 2 === 0) await runRemovals(workspace);
        await restore(ada, type, id);
      }
      await afterDays(workspace, 31);
      expect(await retrieve[type](ada, id)).toBeDefined();
      await listed(type, id);
      await expectConsistent(workspace.table, workspace.account_id);
    });
  });
});
