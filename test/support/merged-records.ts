import { expect } from 'vitest';
import { mergeWrites, removalOf } from '#shared/domain/collaboration/life/end.ts';
import type { StoredShare } from '#shared/domain/collaboration/shares/share.ts';
import { enqueue } from '#shared/domain/platform/jobs/job.ts';
import { keys } from '#shared/table/keys.ts';
import { crashAfter } from './faults.ts';
import { openJobs } from './jobs.ts';
import { givenContact } from './proposals.ts';
import { comments, contactRef, type GivenRecord, givenRecord, runRemovals } from './removed-records.ts';
import { expectConsistent } from './tags.ts';
import type { Workspace } from './workspace.ts';

/** Contacts that are merged into another one, and the checks of both afterwards. */

type Check = (from: GivenRecord, into: string) => Promise<void>;

type Comments = Awaited<ReturnType<typeof comments>>;

export const merge = ({ table }: Workspace, id: string, into: string): Promise<unknown> =>
  table.transact([...mergeWrites(contactRef(id), into), enqueue(removalOf(contactRef(id), new Date()))]);

export const itemOf = ({ table }: Workspace, id: string) =>
  table.get<{ tag_ids?: Set<string>; shares?: Record<string, StoredShare>; merging?: boolean }>(
    keys.record('contacts', id),
  );

export async function expectMoved(
  workspace: Workspace,
  from: GivenRecord,
  into: string,
  before: Comments,
): Promise<void> {
  const moved = before.map((comment) => ({ ...comment, contact_id: into }));
  expect(await comments(workspace.ada, into)).toEqual(moved);
  expect([...((await itemOf(workspace, into))?.tag_ids ?? [])].sort()).toEqual(from.tag_ids.toSorted());
  const left = await workspace.table.all(keys.record('contacts', from.id).PK);
  // It is listed as one that ended.
  const [item, ...others] = left.filter(({ SK }) => !SK.startsWith('LISTS#'));
  expect(others).toEqual([]);
  expect(item).not.toHaveProperty('merging');
  expect(item).not.toHaveProperty('tag_ids');
  expect(await openJobs(workspace.table, 'remove-records')).toEqual([]);
  await expectConsistent(workspace.table, workspace.account_id);
}

/**
 * Merges records whose workers end after 1, `1 + every`, ... calls, up to the number of calls. `begin` marks the record;
 * `check` looks at both when all is done.
 */
export async function crashMerges(
  workspace: Workspace,
  every: number,
  { begin = merge, check }: { begin?: typeof merge; check?: Check } = {},
): Promise<void> {
  for (let call = 1, reached = true; reached; call += every) {
    const from = await givenRecord(workspace, { reactions: 2 });
    const into = (await givenContact(workspace.ada)).id;
    workspace.setTime(new Date(Date.now() + call * 3_600_000));
    const before = await comments(workspace.ada, from.id);
    await begin(workspace, from.id, into);
    const crash = crashAfter(workspace.table, call);
    await runRemovals(workspace).catch(() => undefined);
    crash.remove();
    reached = crash.hit;
    await runRemovals(workspace);
    await expectMoved(workspace, from, into, before);
    await check?.(from, into);
  }
  workspace.setTime(undefined);
}
