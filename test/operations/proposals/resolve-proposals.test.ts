import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { failCall } from '../../support/faults.ts';
import { longIt } from '../../support/long.ts';
import {
  accept,
  givenContact,
  givenProposal,
  givenTagging,
  givenUpdate,
  readContact,
  readProposal,
} from '../../support/proposals.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /proposals/resolve', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ ada, grace } = workspace);
  });
  afterAll(() => workspace.stop());
  afterEach(() => workspace.setTime(undefined));

  const resolve = (ids: unknown, action: unknown = 'accept', user = ada) =>
    user.api.resolveProposals({ body: { ids, action } as never });
  const resultsOf = async (ids: string[], action = 'accept') => (await resolve(ids, action)).body.results;

  it('200: accepts each, in their order', async () => {
    const [one, two] = [await givenUpdate(workspace, ada), await givenTagging(workspace, ada, 'Resolved')];
    expect(await resultsOf([two.proposal.id, one.proposal.id])).toEqual([
      { id: two.proposal.id, status: 'applied', error: null },
      { id: one.proposal.id, status: 'applied', error: null },
    ]);
    expect((await readContact(ada, one.contact.id)).headline).toBe('Analyst');
  });

  it('200: rejects each', async () => {
    const given = [await givenUpdate(workspace, ada), await givenUpdate(workspace, ada)];
    const ids = given.map(({ proposal }) => proposal.id);
    const results = await resultsOf(ids, 'reject');
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await readContact(ada, given[0]?.contact.id as string)).toEqual(given[0]?.contact);
    expect((await readProposal(ada, ids[0] as string)).resolution_reason).toBeNull();
  });

  longIt(
    '200: unknown, hidden, answered, stale, taken and impossible ones fail without stopping the others',
    async () => {
      const hidden = (await givenUpdate(workspace, grace)).proposal.id;
      const foreign = (await givenUpdate(workspace, workspace.hank)).proposal.id;
      const answered = await givenUpdate(workspace, ada);
      await accept(ada, answered.proposal.id);
      const stale = await givenUpdate(workspace, ada);
      const params = { record_id: stale.contact.id, nickname: 'First' };
      await accept(ada, (await givenProposal(workspace, ada, { action_type: 'contact.update', params })).id);
      const email_addresses = [{ email_address: 'resolve@x.example' }];
      const taken = await givenProposal(workspace, ada, {
        action_type: 'contact.create',
        params: { email_addresses },
      });
      await givenContact(grace, { email_addresses });
      const { tag } = (await ada.api.createTag({ body: { tag: { name: 'Will go' } } })).body;
      const impossible = await givenProposal(workspace, ada, {
        action_type: 'tag.apply',
        params: { record_type: 'contact', record_id: stale.contact.id, tag_id: tag.id },
      });
      await ada.api.deleteTag({ params: { id: tag.id }, body: {} });
      const good = await givenUpdate(workspace, ada);
      const unknown = randomUUID();
      const ids = [
        hidden,
        foreign,
        unknown,
        answered.proposal.id,
        stale.proposal.id,
        taken.id,
        impossible.id,
      ];
      const results = await resultsOf([...ids, good.proposal.id]);
      expect(results.map(({ id, status, error }) => [id, status, error?.code ?? null])).toEqual([
        [hidden, 'unavailable', 'record_not_found'],
        [foreign, 'unavailable', 'record_not_found'],
        [unknown, 'unavailable', 'record_not_found'],
        [answered.proposal.id, 'applied', 'proposal_already_answered'],
        [stale.proposal.id, 'pending', 'proposal_stale'],
        [taken.id, 'pending', 'email_address_taken'],
        [impossible.id, 'failed', 'record_not_found'],
        [good.proposal.id, 'applied', null],
      ]);
      expect(new Set(results.slice(0, 3).map(({ error }) => JSON.stringify(error))).size).toBe(1);
      expect(results[5]?.error?.fields).toMatchObject({
        'changes.email_addresses.0.email_address': { code: 'taken' },
      });
      expect((await readContact(ada, good.contact.id)).headline).toBe('Analyst');
    },
  );

  it('200: a repeated id has one result, in upper case too', async () => {
    const { id } = (await givenUpdate(workspace, ada)).proposal;
    expect(await resultsOf([id, id.toUpperCase(), id])).toEqual([{ id, status: 'applied', error: null }]);
  });

  longIt('200: none, and 100', async () => {
    expect(await resultsOf([])).toEqual([]);
    const { id } = (await givenUpdate(workspace, ada)).proposal;
    const ids = [...Array.from({ length: 99 }, () => randomUUID()), id];
    const results = await resultsOf(ids, 'reject');
    expect(results.map((each) => each.id)).toEqual(ids);
    expect(results.at(-1)?.status).toBe('rejected');
  });

  it.each([
    [
      '101 ids',
      { ids: Array.from({ length: 101 }, () => randomUUID()), action: 'accept' },
      { ids: 'too_long' },
    ],
    ['an id that is none', { ids: [randomUUID(), 'x'], action: 'accept' }, { 'ids.1': 'invalid_format' }],
    ['another action', { ids: [], action: 'undo' }, { action: 'invalid' }],
    ['nothing', {}, { ids: 'required', action: 'required' }],
    ['no array', { ids: randomUUID(), action: 'reject' }, { ids: 'invalid' }],
  ])('400: %s', async (_, body: { ids?: unknown; action?: unknown }, problems) => {
    expect(await problemsOf(ada.api.resolveProposals({ body: body as never }))).toEqual(problems);
  });

  it('400 before anything is done', async () => {
    const { id } = (await givenUpdate(workspace, ada)).proposal;
    expect(await codeOf(resolve([id, 'x']))).toBe('400 invalid_request');
    expect((await readProposal(ada, id)).status).toBe('pending');
  });

  longIt('200: a call that fails is reported as the error of one of them', async () => {
    const ids = [];
    for (let i = 0; i < 3; i++) ids.push((await givenUpdate(workspace, ada)).proposal.id);
    // After the two calls of authentication: the reads of the first.
    const fault = failCall(workspace.table, 5, 'before');
    const results = await resultsOf(ids).finally(() => fault.remove());
    expect(fault.hit).toBe(true);
    expect(results.map(({ status, error }) => [status, error?.code ?? null])).toEqual([
      ['pending', 'error'],
      ['applied', null],
      ['applied', null],
    ]);
  });
});
