import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyAsAgent } from '#shared/domain/assistant/proposals/propose.ts';
import { MOST_OF_TEXT } from '#shared/domain/collaboration/history/difference.ts';
import { KEPT } from '#shared/domain/collaboration/history/entry.ts';
import { keys } from '#shared/table/keys.ts';
import { callerOf } from '../../support/callers.ts';
import { givenDeal } from '../../support/deals.ts';
import { codeOf } from '../../support/failures.ts';
import { failCall } from '../../support/faults.ts';
import { longIt, STRIDE } from '../../support/long.ts';
import { measureTable, splitCost } from '../../support/meter.ts';
import { givenOrganization } from '../../support/organizations.ts';
import { accept, givenContact, givenProposal, undo } from '../../support/proposals.ts';
import { givenTask } from '../../support/proposed-records.ts';
import { purgeAll, runRemovals } from '../../support/removed-records.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

type Type = 'contacts' | 'organizations' | 'deals' | 'tasks';

describe('GET /{record_type}/{record_id}/history', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let linus: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true, own_table: true });
    ({ ada, grace, linus } = workspace);
  });
  afterAll(() => workspace.stop());

  const pageOf = async (record_type: Type, record_id: string, query: object = {}, user = ada) =>
    (await user.reader.listHistory({ params: { record_type, record_id }, query })).body.collection;
  /** Who changed which fields from what to what. */
  const changesOf = async (type: Type, id: string, user = ada) =>
    (await pageOf(type, id, {}, user)).records.map(({ user_id, changes }) => [
      user_id,
      Object.fromEntries(changes.map(({ field, before, after }) => [field, [before, after]])),
    ]);
  const changeContact = (id: string, contact: object, user = ada) =>
    user.api.updateContact({ params: { id }, body: { contact } });
  const changeDeal = (id: string, deal: object, user = ada) =>
    user.api.updateDeal({ params: { id }, body: { deal: deal as never } });
  const share = (record_type: Type, record_id: string, user: TestUser) =>
    ada.api.createShare({
      params: { record_type, record_id },
      body: { share: { user_id: user.user.id, access: 'edit' } },
    });

  it('200: who changed what from what to what and when, newest first; a change of nothing is none', async () => {
    const { id } = await givenContact(ada, { name: 'Ada', headline: 'Clerk', custom_fields: { a: 1, b: 2 } });
    expect(await changesOf('contacts', id)).toEqual([]);
    await changeContact(id, { headline: 'Analyst', nickname: 'Countess' });
    await changeContact(id, { headline: 'Analyst' });
    const { body } = await changeContact(id, { custom_fields: { a: 1.5, b: null, c: [] } }, grace);
    expect(await changesOf('contacts', id)).toEqual([
      [
        grace.user.id,
        {
          custom_fields: [
            { a: 1, b: 2 },
            { a: 1.5, c: [] },
          ],
        },
      ],
      [ada.user.id, { nickname: [null, 'Countess'], headline: ['Clerk', 'Analyst'] }],
    ]);
    const { records, page_info } = await pageOf('contacts', id);
    expect(records[0]).toEqual({
      id: expect.any(String),
      user_id: grace.user.id,
      changed_at: body.contact.updated_at,
      changes: [expect.objectContaining({ cut: false })],
    });
    expect(page_info).toMatchObject({ limit: 25, next_cursor: null });
  });

  it('has lists as what went and what came', async () => {
    const [one, two, three] = ['+44 20 7946 0001', '+44 20 7946 0002', '+44 20 7946 0003'].map(
      (phone_number) => ({ phone_number }),
    );
    const { id } = await givenContact(ada, { phone_numbers: [one, two] });
    await changeContact(id, { phone_numbers: [one, three] });
    expect(await changesOf('contacts', id)).toEqual([
      [ada.user.id, { phone_numbers: [[expect.objectContaining(two!)], [expect.objectContaining(three!)]] }],
    ]);
  });

  it('cuts long values, and says so', async () => {
    const { id } = await givenDeal(ada, { description: 'x' });
    await changeDeal(id, {
      description: '💙'.repeat(20_000),
      custom_fields: { text: 'y'.repeat(10_000), z: 1 },
    });
    const [entry] = (await pageOf('deals', id)).records;
    const [description, custom] = entry!.changes;
    expect(description).toEqual({
      ...{ field: 'description', before: 'x', cut: true },
      after: '💙'.repeat(MOST_OF_TEXT / 2),
    });
    expect(custom).toEqual({
      ...{ field: 'custom_fields', before: {}, cut: true },
      after: { text: 'y'.repeat(MOST_OF_TEXT), z: 1 },
    });
  });

  longIt('of organizations, deals and tasks', async () => {
    const organization = await givenOrganization(ada, { name: 'Acme' });
    const domains = ['history.example'];
    const params = { id: organization.id };
    await ada.api.updateOrganization({ params, body: { organization: { domains, name: 'Acme Ltd' } } });
    expect(await changesOf('organizations', organization.id)).toEqual([
      [ada.user.id, { name: ['Acme', 'Acme Ltd'], domains: [[], domains] }],
    ]);
    const deal = await givenDeal(ada, { amount: 5 });
    await changeDeal(deal.id, { amount: 7.5, probability: 30, position: 4 });
    await changeDeal(deal.id, { position: 5 });
    expect(await changesOf('deals', deal.id)).toEqual([
      [ada.user.id, { amount: [5, 7.5], probability: [null, 30] }],
    ]);
    const task = await givenTask(ada, { visibility: 'account' });
    await ada.api.updateTask({
      params: { id: task.id },
      body: { task: { contact_ids: [], priority: 'high' } },
    });
    await grace.api.completeTask({ params: { task_id: task.id } });
    expect(await changesOf('tasks', task.id)).toEqual([
      [
        grace.user.id,
        {
          completed_at: [null, expect.any(String)],
        },
      ],
      [ada.user.id, { priority: [null, 'high'] }],
    ]);
  });

  it('has changes by proposals, their undoing and agents, and not tags, shares and pins', async () => {
    const { id } = await givenContact(ada, { headline: 'Clerk' });
    await share('contacts', id, grace);
    await ada.api.pinContact({ params: { contact_id: id } });
    await ada.api.applyTag({
      params: { record_type: 'contacts', record_id: id },
      body: { tag: { name: 'Historic' } },
    });
    const draft = { action_type: 'contact.update', params: { record_id: id, headline: 'Analyst' } };
    const proposal = await givenProposal(workspace, ada, draft);
    await accept(ada, proposal.id);
    await undo(ada, proposal.id);
    const ctx = { ...workspace.ctx, caller: await callerOf(workspace.table, ada.user), now: new Date() };
    await applyAsAgent(ctx, { ...draft, rationale: null, agent_slug: 'auto_enrich', source: null });
    expect(await changesOf('contacts', id)).toEqual([
      [null, { headline: ['Clerk', 'Analyst'] }],
      [ada.user.id, { headline: ['Analyst', 'Clerk'] }],
      [ada.user.id, { headline: ['Clerk', 'Analyst'] }],
    ]);
  });

  longIt('leaves out what the reader does not see, on both sides', async () => {
    const hidden = await givenContact(ada, { visibility: 'private' });
    const open = await givenContact(ada);
    const secret = await givenOrganization(ada, { visibility: 'private' });
    const { id } = await givenDeal(ada);
    await changeDeal(id, { contacts: [{ id: hidden.id, role: 'buyer' }, { id: open.id }] });
    await changeDeal(id, { organization_id: secret.id });
    await changeDeal(id, { organization_id: null, amount: 3 });
    const of = (type: string, to: string) => ({ type, id: to });
    expect(await changesOf('deals', id)).toEqual([
      [ada.user.id, { amount: [null, 3], organization: [of('organization', secret.id), null] }],
      [ada.user.id, { organization: [null, of('organization', secret.id)] }],
      [
        ada.user.id,
        {
          contacts: [
            [],
            [
              { ...of('contact', hidden.id), role: 'buyer' },
              { ...of('contact', open.id), role: null },
            ],
          ],
        },
      ],
    ]);
    const shown = await pageOf('deals', id, {}, linus);
    expect(JSON.stringify(shown)).not.toContain(hidden.id);
    expect(JSON.stringify(shown)).not.toContain(secret.id);
    expect(JSON.stringify(shown)).not.toContain('buyer');
    expect(await changesOf('deals', id, linus)).toEqual([
      [ada.user.id, { amount: [null, 3] }],
      [ada.user.id, {}],
      [ada.user.id, { contacts: [[], [{ ...of('contact', open.id), role: null }]] }],
    ]);
    const employed = await givenContact(ada);
    await changeContact(employed.id, { employments: [{ organization: { id: secret.id }, title: 'Clerk' }] });
    const theirs = JSON.stringify(await pageOf('contacts', employed.id, {}, linus));
    expect([theirs.includes('Clerk'), theirs.includes(secret.id)]).toEqual([true, false]);
    const task = await givenTask(ada, { name: 'Call', contact_ids: [open.id] });
    const params = { id: task.id };
    await ada.api.updateTask({ params, body: { task: { contact_ids: [hidden.id], visibility: 'account' } } });
    expect(JSON.stringify(await pageOf('tasks', task.id, {}, linus))).not.toContain(hidden.id);
  });

  it('custom fields are what clients wrote, also when they look like a link', async () => {
    const { id } = await givenContact(ada);
    const custom_fields = { type: 'contact', id: 'mine' };
    await changeContact(id, { custom_fields });
    expect(await changesOf('contacts', id, linus)).toEqual([
      [ada.user.id, { custom_fields: [{}, custom_fields] }],
    ]);
  });

  longIt(
    'pages by cursors, each of them in three round trips; 400 for a cursor of another record',
    async () => {
      const { id } = await givenContact(ada);
      const employer = await givenOrganization(ada);
      for (let i = 1; i <= 7; i++)
        await changeContact(id, {
          headline: `${i}`,
          employments: [{ organization: { id: employer.id }, title: `${i}` }],
        });
      const seen: unknown[] = [];
      let next_cursor: string | null | undefined;
      do {
        const sent: object = { limit: 3, ...(next_cursor ? { next_cursor } : {}) };
        const cost = await measureTable(workspace.table, async () => {
          const { records, page_info } = await pageOf('contacts', id, sent);
          seen.push(
            ...records.map(({ changes }) => changes.find(({ field }) => field === 'headline')?.after),
          );
          ({ next_cursor } = page_info);
        });
        expect(splitCost(cost, 'read').operation.depth).toBeLessThanOrEqual(3);
      } while (next_cursor);
      expect(seen).toEqual(['7', '6', '5', '4', '3', '2', '1']);
      const { page_info } = await pageOf('contacts', id, { limit: 1 });
      const other = await givenContact(ada);
      const query = { next_cursor: page_info.next_cursor as string };
      const params = { record_type: 'contacts' as const, record_id: other.id };
      expect(await codeOf(ada.reader.listHistory({ params, query }))).toBe('400 invalid_cursor');
    },
  );

  longIt('a merged contact has the history of both', async () => {
    const [into, gone] = [await givenContact(ada), await givenContact(ada)];
    await changeContact(into.id, { headline: 'Survivor' });
    await changeContact(gone.id, { nickname: 'Other' });
    const body = { contact_id_to_merge: gone.id };
    await ada.api.mergeContacts({ params: { contact_id: into.id }, body });
    await runRemovals(workspace);
    const all = (await changesOf('contacts', into.id)).map(([, changes]) => changes);
    expect(all).toEqual(
      expect.arrayContaining([
        { headline: [null, 'Survivor'] },
        { nickname: [null, 'Other'] },
        expect.objectContaining({ nickname: [null, 'Other'] }),
      ]),
    );
    expect(await workspace.table.all(keys.record('contacts', gone.id).PK, 'HISTORY#')).toEqual([]);
  });

  it('is kept for two years, and ends with its record', async () => {
    const { id } = await givenContact(ada);
    await changeContact(id, { headline: 'New' });
    const { PK, SK } = keys.history('contacts', id);
    const [entry] = await workspace.table.all<{ expires_epoch: number; SK: string }>(PK, SK);
    const years = (entry!.expires_epoch * 1_000 - Date.now()) / KEPT;
    expect(years).toBeGreaterThan(0.99);
    workspace.setTime(new Date(Date.now() + KEPT + 60_000));
    const late = await pageOf('contacts', id);
    workspace.setTime(undefined);
    expect(late.records).toEqual([]);
    await ada.api.deleteContact({ params: { id } });
    await purgeAll(workspace);
    expect(await workspace.table.all(PK)).toEqual([]);
  });

  it('404 for a record that the user does not see', async () => {
    const { id } = await givenContact(ada, { visibility: 'private' });
    await changeContact(id, { headline: 'Secret' });
    const params = { record_type: 'contacts' as const, record_id: id };
    expect(await codeOf(linus.reader.listHistory({ params }))).toBe('404 record_not_found');
    await share('contacts', id, linus);
    expect(await changesOf('contacts', id, linus)).toEqual([[ada.user.id, { headline: [null, 'Secret'] }]]);
  });

  longIt('says what the record became, whatever call fails and however many change it at once', async () => {
    const { id } = await givenContact(ada, { headline: '0' });
    const consistent = async () => {
      const { contact } = (await ada.reader.retrieveContact({ params: { id } })).body;
      const { records } = await pageOf('contacts', id, { limit: 100 });
      const values = records.map(({ changes }) => changes[0]);
      expect(values[0]?.after ?? '0').toBe(contact.headline);
      expect(values.slice(0, -1).map((each) => each?.before)).toEqual(
        values.slice(1).map((each) => each?.after),
      );
    };
    await Promise.allSettled(['a', 'b', 'c', 'd'].map((headline) => changeContact(id, { headline })));
    await consistent();
    for (const when of ['before', 'after'] as const)
      for (let call = 1, reached = true; reached; call += 2 * STRIDE) {
        const fault = failCall(workspace.table, call, when);
        await changeContact(id, { headline: `${when} ${call}` }).catch(() => undefined);
        fault.remove();
        reached = fault.hit;
      }
    await consistent();
  });

  it('costs one more item of a change, in its transaction', async () => {
    const { id } = await givenContact(ada, { headline: '0' });
    const cost = await measureTable(workspace.table, () => changeContact(id, { headline: '1' }));
    const items = await workspace.table.all(keys.history('contacts', id).PK, 'HISTORY#');
    expect([items.length, cost.calls.filter(({ command }) => command.startsWith('Transact')).length]).toEqual(
      [1, 1],
    );
  });
});
