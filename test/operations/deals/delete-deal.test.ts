import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keys } from '#shared/table/keys.ts';
import { givenDeal, givenDealIn } from '../../support/deals.ts';
import { codeOf } from '../../support/failures.ts';
import { failCall } from '../../support/faults.ts';
import { longIt, SHORT_STRIDE } from '../../support/long.ts';
import { firstPipelineOf, givenTeam } from '../../support/pipelines.ts';
import { givenContact } from '../../support/proposals.ts';
import { purgeAll, runRemovals } from '../../support/removed-records.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('DELETE /deals/{id}', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let linus: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    ({ ada, linus } = workspace);
  });
  afterAll(() => workspace.stop());

  const remove = (user: TestUser, id: string) => user.api.deleteDeal({ params: { id } });

  it('204: it is nowhere, leaves its stage, frees its external id, and its tasks and people stay', async () => {
    const { owner, member } = await givenTeam(workspace);
    const contact = await givenContact(owner);
    const { id } = await givenDeal(owner, { contact_ids: [contact.id], external_id: 'gone' });
    const params = { record_type: 'deals' as const, record_id: id };
    await owner.api.createShare({ params, body: { share: { user_id: member.user.id } } });
    await owner.api.createComment({ params, body: { comment: { html_content: 'Hello' } } });
    const task = { name: 'Call', deal_id: id };
    const made = (await owner.api.createTask({ body: { task } })).body.task;
    expect((await remove(owner, id)).status).toBe(204);
    expect(await codeOf(remove(owner, id))).toBe('404 record_not_found');
    for (const query of [{}, { external_id: 'gone' }, { contact_id: contact.id }, { slice: 'mine' as const }])
      expect((await owner.reader.listDeals({ query })).body.collection.total_results).toBe(0);
    expect((await firstPipelineOf(owner)).deal_count).toBe(0);
    await purgeAll(workspace);
    expect(await workspace.table.all(keys.record('deals', id).PK)).toEqual([]);
    expect(await workspace.table.all(keys.record('contacts', contact.id).PK, 'LINKED#')).toEqual([]);
    const left = (await owner.reader.retrieveTask({ params: { id: made.id } })).body.task;
    expect([left.deal_id, left.refs]).toEqual([null, []]);
    await givenDeal(owner, { external_id: 'gone' });
  });

  it('403 for a share to view, 404 for what is hidden', async () => {
    const { id } = await givenDeal(ada, { visibility: 'private' });
    expect(await codeOf(remove(linus, id))).toBe('404 record_not_found');
    const params = { record_type: 'deals' as const, record_id: id };
    await ada.api.createShare({ params, body: { share: { user_id: linus.user.id } } });
    expect(await codeOf(remove(linus, id))).toBe('403 permission_denied');
  });

  longIt('a deleted person or organization leaves the deal, which is written anew', async () => {
    const [gone, kept] = [await givenContact(ada), await givenContact(ada)];
    const draft = { name: 'Short-lived' };
    const organization = (await ada.api.createOrganization({ body: { organization: draft } })).body
      .organization;
    const contacts = [{ id: gone.id }, { id: kept.id, role: 'buyer' }];
    const { id } = await givenDeal(ada, { contacts, organization_id: organization.id });
    await ada.api.deleteContact({ params: { id: gone.id } });
    await ada.api.deleteOrganization({ params: { id: organization.id } });
    await runRemovals(workspace);
    const { deal } = (await ada.reader.retrieveDeal({ params: { id } })).body;
    expect(deal.contacts).toEqual([{ id: kept.id, name: kept.name, role: 'buyer' }]);
    expect([deal.organization_id, deal.updated_at]).toEqual([null, expect.any(String)]);
    const { count } = (await ada.reader.countDeals({ query: { contact_id: kept.id } })).body;
    expect(count.total).toBe(1);
  });

  longIt('is there or gone, with its count, whichever call fails', async () => {
    const { owner } = await givenTeam(workspace);
    const pipeline = await firstPipelineOf(owner);
    for (let call = 1; call <= 10; call += SHORT_STRIDE)
      for (const when of ['before', 'after'] as const) {
        const { id } = await givenDealIn(owner, pipeline);
        const fault = failCall(workspace.table, call, when);
        await remove(owner, id).catch((error) => expect(error.code).toBe('error'));
        fault.remove();
        const { total } = (await owner.reader.countDeals({ query: { slice: 'open' } })).body.count;
        const found = owner.reader.retrieveDeal({ params: { id } });
        const left = await found.then(() => 1).catch(({ code }) => (code === 'record_not_found' ? 0 : code));
        expect(total).toBe(left);
        expect((await firstPipelineOf(owner)).deal_count).toBe(left);
        expect((await owner.reader.countDeals()).body.count.total).toBe(left);
        await remove(owner, id).catch((error) => expect(error.code).toBe('record_not_found'));
        await runRemovals(workspace);
        expect((await owner.reader.countDeals()).body.count.total).toBe(0);
      }
  });
});
