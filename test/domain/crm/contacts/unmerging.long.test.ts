import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mergeCall, runIndexings, unmergeCall, unmergeWhole } from '../../../support/duplicates.ts';
import { codeOf } from '../../../support/failures.ts';
import { crashAfter, failNth } from '../../../support/faults.ts';
import { openJobs } from '../../../support/jobs.ts';
import { sample } from '../../../support/long.ts';
import { readContact } from '../../../support/proposals.ts';
import { comment, comments, type GivenRecord, runRemovals } from '../../../support/removed-records.ts';
import { everything, givenPair, mergePair } from '../../../support/separated.ts';
import { expectConsistent } from '../../../support/tags.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

/** A merge that is taken back at once leaves everything as it was, in any order, and wherever it is cut off. */
describe('taking a merge of contacts back', () => {
  let workspace: Workspace;
  let into: string;
  let from: GivenRecord;
  let before: Record<string, string>;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    ({ into, from } = await givenPair(workspace));
    before = await everything(workspace);
  });
  afterAll(() => workspace.stop());

  const unmerge = () => unmergeCall(workspace.ada, into, from.id);
  const finish = async () => {
    await runRemovals(workspace);
    await runIndexings(workspace);
  };
  const expectAsBefore = async () => {
    expect(await everything(workspace)).toEqual(before);
    await expectConsistent(workspace.table, workspace.account_id);
    expect(await openJobs(workspace.table)).toEqual([]);
  };

  it('leaves all that is stored as it was before the merge', async () => {
    await mergePair(workspace, into, from.id);
    expect(await everything(workspace)).not.toEqual(before);
    await unmergeWhole(workspace, workspace.ada, into, from.id);
    await expectAsBefore();
  });

  /** Some of the calls. */
  const calls = (step: number) => sample(Array.from({ length: 15 }, (_, i) => 1 + i * step));

  it.each(calls(5))('whichever call is the last of both workers: %i', async (call) => {
    await mergeCall(workspace.ada, into, from.id);
    for (const step of [undefined, unmerge]) {
      await step?.();
      const crash = crashAfter(workspace.table, call);
      await runRemovals(workspace).catch(() => undefined);
      crash.remove();
      await finish();
    }
    await expectAsBefore();
  });

  it.each(calls(3))('whichever call of the request fails: %i', async (nth) => {
    await mergePair(workspace, into, from.id);
    const fault = failNth(workspace.table, nth - 1);
    await unmerge().catch(() => undefined);
    fault.remove();
    await unmerge().catch(() => undefined);
    await finish();
    await expectAsBefore();
  });

  it('one transaction in each message, and two workers at once', async () => {
    await mergePair(workspace, into, from.id);
    await unmerge();
    for (let i = 0; i < 5; i++) await runRemovals(workspace, () => true);
    await Promise.allSettled([runRemovals(workspace), runRemovals(workspace)]);
    await finish();
    await expectAsBefore();
  });

  it('twice at once: one succeeds', async () => {
    await mergePair(workspace, into, from.id);
    const results = await Promise.allSettled([unmerge(), unmerge(), unmerge()]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await finish();
    await expectAsBefore();
  });

  it('again and again, at once with a new merge of both', async () => {
    await mergePair(workspace, into, from.id);
    for (let i = 0; i < 3; i++) {
      await Promise.allSettled([unmerge(), mergeCall(workspace.ada, into, from.id), runRemovals(workspace)]);
      await finish();
    }
    if ((await readContact(workspace.ada, into)).merged_ids.length > 0) await unmerge();
    await finish();
    await expectAsBefore();
  });

  it('comments that are written meanwhile stay where they were written', async () => {
    const { ada, grace } = workspace;
    const texts = async (id: string) => (await comments(ada, id)).map(({ html_content }) => html_content);
    await mergePair(workspace, into, from.id);
    const shown = [await texts(into), await unmerge()] as const;
    const [of_survivor] = await Promise.all([
      comment(grace, into, { html_content: 'Here' }),
      comment(grace, from.id, { html_content: 'There' }),
      runRemovals(workspace),
    ]);
    await finish();
    expect((await texts(from.id)).at(-1)).toBe('There');
    expect((await texts(into)).at(-1)).toBe('Here');
    expect([...(await texts(from.id)), ...(await texts(into))]).toHaveLength(shown[0].length + 2);
    expect(of_survivor.contact_id).toBe(into);
  });

  it('while one of both is deleted: the other one has what is its own', async () => {
    const { ada } = workspace;
    const ids = async (id: string) => (await comments(ada, id)).map((each) => each.id);
    const own = await ids(from.id);
    await mergePair(workspace, into, from.id);
    await unmerge();
    await ada.api.deleteContact({ params: { id: into } });
    await finish();
    expect(await ids(from.id)).toEqual(own);
    expect(await codeOf(ada.reader.retrieveContact({ params: { id: into } }))).toBe('404 record_not_found');
    expect(await openJobs(workspace.table)).toEqual([]);
  });
});
