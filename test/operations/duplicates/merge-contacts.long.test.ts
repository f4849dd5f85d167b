import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mergeCall, mergeInto, unmergeCall, unmergeWhole } from '../../support/duplicates.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { givenContact } from '../../support/proposals.ts';
import { runRemovals } from '../../support/removed-records.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('POST /contacts/{contact_id}/merge', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  it('400: more organizations at once than one transaction can move', async () => {
    const { ada } = workspace;
    const jobs = (from: number, to: number) => ({
      employments: Array.from({ length: to - from }, (_, i) => ({
        title: 'T',
        organization: { name: `Org ${from + i}` },
      })),
    });
    const into = await givenContact(ada, jobs(0, 20));
    const from = await givenContact(ada, jobs(20, 45));
    const update = (contact: object) => ada.api.updateContact({ params: { id: from.id }, body: { contact } });
    await update(jobs(20, 51));
    expect(await problemsOf(mergeCall(ada, into.id, from.id))).toEqual({ employments: 'too_long' });
    await update(jobs(20, 50));
    expect((await mergeInto(ada, into.id, from.id)).employments).toHaveLength(50);
    await runRemovals(workspace);
    expect(await codeOf(unmergeCall(ada, into.id, from.id))).toBe('422 merge_is_final');
  });

  it('the largest merge that can be taken back', async () => {
    const { ada } = workspace;
    const employments = Array.from({ length: 28 }, (_, i) => ({ organization: { name: `Left ${i}` } }));
    const into = await givenContact(ada, { headline: 'Here' });
    const from = await givenContact(ada, { employments: employments.slice(0, 20), headline: 'There' });
    await ada.api.updateContact({ params: { id: from.id }, body: { contact: { employments } } });
    await mergeInto(ada, into.id, from.id, { fields: { headline: 'other' } });
    await runRemovals(workspace);
    const { unmerged_contact, contact } = await unmergeWhole(workspace, ada, into.id, from.id);
    expect([contact.employments, unmerged_contact.employments.length]).toEqual([[], 28]);
  });
});
