import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { agentSlugs } from '#shared/domain/assistant/agents/agent.ts';
import type { RecordItem } from '#shared/domain/collaboration/records/live.ts';
import { keys } from '#shared/table/keys.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { longIt } from '../../support/long.ts';
import {
  accept,
  givenContact,
  givenProposal,
  givenTagging,
  givenUpdate,
  readContact,
  reject,
  undo,
} from '../../support/proposals.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

const DAY = 86_400_000;

describe('GET /proposals', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ ada, grace } = workspace);
  });
  afterAll(() => workspace.stop());
  afterEach(() => workspace.setTime(undefined));

  const list = async (query: object = {}, user = ada) =>
    (await user.reader.listProposals({ query })).body.collection;
  const ids = async (query: object = {}, user = ada) => (await list(query, user)).records.map(({ id }) => id);

  it('200: none yet', async () => {
    expect(await list()).toEqual({
      records: [],
      page: 1,
      per_page: 50,
      total_results: 0,
      pages: 1,
      filters: null,
      sort: 'created_at',
      order: 'desc',
    });
  });

  it("200: the pending ones of the key's user, newest first, as they are retrieved", async () => {
    const proposals = [];
    for (let i = 0; i < 3; i++) proposals.push((await givenUpdate(workspace, grace)).proposal);
    const newest = proposals.map(({ id }) => id).reverse();
    const { records } = await list({}, grace);
    expect(records.map(({ id }) => id)).toEqual(newest);
    const { body } = await grace.reader.retrieveProposal({ params: { id: newest[0] as string } });
    expect(records[0]).toEqual(body.proposal);
    expect(await ids({ order: 'asc' }, grace)).toEqual(newest.toReversed());
    expect(await ids()).toEqual([]);
    expect(await ids({}, workspace.hank)).toEqual([]);
  });

  longIt('200: by status; all of them with all', async () => {
    const user = workspace.linus;
    const given = async () => (await givenUpdate(workspace, user)).proposal.id;
    workspace.setTime(new Date(Date.now() - 31 * DAY));
    const expired = await given();
    workspace.setTime(undefined);
    const byStatus: Record<string, string> = { expired, pending: await given(), applied: await given() };
    for (const status of ['rejected', 'undone', 'failed']) byStatus[status] = await given();
    const { applied, rejected, undone, failed } = byStatus as Record<string, string>;
    await accept(user, applied as string);
    await reject(user, rejected as string);
    await accept(user, undone as string);
    await undo(user, undone as string);
    const { tag } = (await user.api.createTag({ body: { tag: { name: 'Goes' } } })).body;
    const contact = await givenContact(user);
    const params = { record_type: 'contact', record_id: contact.id, tag_id: tag.id };
    const hopeless = await givenProposal(workspace, user, { action_type: 'tag.apply', params });
    await ada.api.deleteTag({ params: { id: tag.id }, body: {} });
    expect(await codeOf(user.api.acceptProposal({ params: { proposal_id: hopeless.id }, body: {} }))).toBe(
      '404 record_not_found',
    );
    await reject(user, failed as string);
    byStatus.failed = hopeless.id;
    for (const [status, id] of Object.entries(byStatus)) {
      const collection = await list({ status }, user);
      expect([status, collection.records.map((each) => each.status)]).toEqual([
        status,
        collection.records.map(() => status),
      ]);
      expect(collection.records.map((each) => each.id)).toContain(id);
      expect(collection.filters).toEqual({ status });
    }
    const all = await list({ status: 'all' }, user);
    expect(all.total_results).toBe(7);
    expect(all.records.map(({ created_at }) => created_at)).toEqual(
      all.records
        .map(({ created_at }) => created_at)
        .sort()
        .reverse(),
    );
  });

  it('200: one that expires is pending to the last millisecond of its 30 days', async () => {
    const { proposal } = await givenUpdate(workspace, ada);
    const end = Date.parse(proposal.created_at) + 30 * DAY;
    workspace.setTime(new Date(end - 1));
    expect(await ids()).toContain(proposal.id);
    expect(await ids({ status: 'expired' })).not.toContain(proposal.id);
    workspace.setTime(new Date(end));
    expect(await ids()).not.toContain(proposal.id);
    const [record] = (await list({ status: 'expired' })).records;
    expect(record).toMatchObject({ id: proposal.id, status: 'expired', actions: [] });
  });

  it('200: by action type, agent and record', async () => {
    const { contact, proposal } = await givenUpdate(workspace, ada, { agent_slug: 'auto_enrich' });
    const other = await givenTagging(workspace, ada, 'Filtered');
    expect(await ids({ action_type: 'contact.update', agent_slug: 'auto_enrich' })).toEqual([proposal.id]);
    expect(await ids({ action_type: 'tag.apply' })).toEqual([other.proposal.id]);
    expect(await ids({ action_type: 'contact.merge' })).toEqual([]);
    expect(await ids({ record_type: 'contact', record_id: contact.id })).toEqual([proposal.id]);
    expect(await ids({ record_type: 'contact', record_id: other.contact.id.toUpperCase() })).toEqual([
      other.proposal.id,
    ]);
    expect(await ids({ record_type: 'contact' })).toEqual(
      expect.arrayContaining([proposal.id, other.proposal.id]),
    );
    expect(await ids({ record_type: 'thread' })).toEqual([]);
    expect(await ids({ agent_slug: agentSlugs[0] })).toEqual([]);
    const query = { record_type: 'contact', record_id: contact.id, agent_slug: 'auto_enrich' };
    expect((await list(query)).filters).toEqual(query);
  });

  it('200: of a contact that more than a hundred became part of', async () => {
    const [{ contact, proposal }, other] = [
      await givenUpdate(workspace, ada),
      await givenUpdate(workspace, ada),
    ];
    const merged_ids = [...Array.from({ length: 120 }, () => randomUUID()), other.contact.id];
    const key = keys.record('contacts', contact.id);
    await workspace.table.update<RecordItem>(key, { set: { merged_ids } });
    const query = { record_type: 'contact', record_id: contact.id };
    expect(await ids(query)).toEqual([other.proposal.id, proposal.id]);
    expect(await ids({ ...query, status: 'applied' })).toEqual([]);
  });

  it('200: pages by number; a page after the last one is empty', async () => {
    const total = (await list()).total_results + 3;
    for (let i = 0; i < 3; i++) await givenUpdate(workspace, ada);
    const pages = Math.ceil(total / 2);
    const seen: string[] = [];
    for (let page = 1; page <= pages; page++) {
      const collection = await list({ page, per_page: 2 });
      expect(collection).toMatchObject({ page, per_page: 2, total_results: total, pages, filters: null });
      seen.push(...collection.records.map(({ id }) => id));
    }
    expect(seen).toEqual(await ids());
    expect(await list({ page: pages + 1, per_page: 2 })).toMatchObject({ records: [], total_results: total });
    expect(await list({ per_page: 101 })).toMatchObject({ per_page: 100 });
  });

  it('200: still lists proposals of a deleted record', async () => {
    const params = { name: 'Soon gone' };
    const { id } = await givenProposal(workspace, ada, { action_type: 'contact.create', params });
    const { applied_record_id } = await accept(ada, id);
    const gone = await givenProposal(workspace, ada, {
      action_type: 'contact.update',
      params: { record_id: applied_record_id, visibility: 'private' },
    });
    await undo(ada, id);
    await expect(readContact(ada, applied_record_id as string)).rejects.toMatchObject({ status: 404 });
    expect(await ids()).toContain(gone.id);
  });

  it.each([
    ['an unknown status', { status: 'open' }, { status: 'invalid' }],
    ['several statuses', { status: 'pending,applied' }, { status: 'invalid' }],
    ['an unknown action type', { action_type: 'contact.delete' }, { action_type: 'invalid' }],
    ['an unknown agent', { agent_slug: 'auto_pilot' }, { agent_slug: 'invalid' }],
    ['an unknown record type', { record_type: 'contacts' }, { record_type: 'invalid' }],
    ['a record type without proposals', { record_type: 'space' }, { record_type: 'invalid' }],
    ['an id that is none', { record_type: 'contact', record_id: 'x' }, { record_id: 'invalid_format' }],
    ['a record without its type', { record_id: randomUUID() }, { record_type: 'required' }],
    ['an unknown order', { sort: 'name', order: 'up' }, { sort: 'invalid', order: 'invalid' }],
    ['page 0', { page: 0 }, { page: 'invalid' }],
    ['no number', { page: 'two', per_page: '1.5' }, { page: 'invalid_format', per_page: 'invalid_format' }],
    ['less than one a page', { per_page: -1 }, { per_page: 'invalid_format' }],
    ['an empty value', { status: '' }, { status: 'invalid' }],
  ])('400: %s', async (_, query, problems) => {
    expect(await problemsOf(ada.reader.listProposals({ query: query as never }))).toEqual(problems);
  });

  it('200: unknown parameters are ignored', async () => {
    expect((await list({ colour: 'red' })).filters).toBeNull();
  });

  it('404: a record that is unknown, hidden or of another account', async () => {
    const hidden = await givenContact(grace, { visibility: 'private' });
    const foreign = await givenContact(workspace.hank);
    for (const [record_type, record_id] of [
      ['contact', randomUUID()],
      ['contact', hidden.id],
      ['contact', foreign.id],
    ] as const)
      expect(await codeOf(ada.reader.listProposals({ query: { record_type, record_id } }))).toBe(
        '404 record_not_found',
      );
  });
});
