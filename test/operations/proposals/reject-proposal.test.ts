import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { failCall } from '../../support/faults.ts';
import { STRIDE } from '../../support/long.ts';
import { accept, givenUpdate, readContact, readProposal, toldOf } from '../../support/proposals.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /proposals/{proposal_id}/reject', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ ada, grace } = workspace);
  });
  afterAll(() => workspace.stop());
  afterEach(() => workspace.setTime(undefined));

  const reject = (proposal_id: string, body: object = {}, user = ada) =>
    user.api.rejectProposal({ params: { proposal_id }, body });

  it('200: with a reason, and the record stays as it is', async () => {
    const { contact, proposal } = await givenUpdate(workspace, ada);
    const { status, body } = await reject(proposal.id, { reason: ' She left. ' });
    expect([status, body.proposal]).toMatchObject([
      200,
      {
        id: proposal.id,
        status: 'rejected',
        resolution_reason: 'She left.',
        resolved_by_user_id: ada.user.id,
        applied_record_id: null,
        actions: [],
      },
    ]);
    expect(body.proposal.resolved_at).toBe(body.proposal.updated_at);
    expect(await readProposal(ada, proposal.id)).toEqual(body.proposal);
    expect(await readContact(ada, contact.id)).toEqual(contact);
    expect((await toldOf(ada, proposal)).map(({ event }) => event)).toEqual(['proposal_created']);
  });

  it.each([
    ['none', {}, null],
    ['null', { reason: null }, null],
    ['a blank one', { reason: '  ' }, null],
    ['10,000 characters', { reason: '🙂'.repeat(10_000) }, '🙂'.repeat(10_000)],
    ['20,000 characters, and unknown keys', { reason: 'x'.repeat(20_000), why: 1 }, 'x'.repeat(20_000)],
  ])('200: a reason of %s', async (_, body, reason) => {
    const { proposal } = await givenUpdate(workspace, ada);
    expect((await reject(proposal.id, body)).body.proposal.resolution_reason).toBe(reason);
  });

  it.each([
    ['too long a reason', { reason: 'x'.repeat(20_001) }, { reason: 'too_long' }],
    ['no text', { reason: 1 }, { reason: 'invalid' }],
    ['NUL', { reason: 'a\0b' }, { reason: 'invalid_format' }],
    ['another proposal than in the path', { proposal_id: randomUUID() }, { proposal_id: 'not_allowed' }],
  ])('400: %s', async (_, body, problems) => {
    const { proposal } = await givenUpdate(workspace, ada);
    expect(await problemsOf(reject(proposal.id, body))).toEqual(problems);
    expect((await readProposal(ada, proposal.id)).status).toBe('pending');
  });

  it('409 proposal_already_answered: rejected, applied or expired', async () => {
    const [rejected, applied, expired] = [
      (await givenUpdate(workspace, ada)).proposal,
      (await givenUpdate(workspace, ada)).proposal,
      (await givenUpdate(workspace, ada)).proposal,
    ];
    await reject(rejected.id);
    await accept(ada, applied.id);
    expect(await codeOf(reject(rejected.id))).toBe('409 proposal_already_answered');
    expect(await codeOf(reject(applied.id))).toBe('409 proposal_already_answered');
    workspace.setTime(new Date(Date.parse(expired.created_at) + 30 * 86_400_000));
    expect(await codeOf(reject(expired.id))).toBe('409 proposal_already_answered');
  });

  it('404: of a colleague, of another account and unknown', async () => {
    const { proposal } = await givenUpdate(workspace, grace);
    const foreign = (await givenUpdate(workspace, workspace.hank)).proposal;
    for (const id of [proposal.id, foreign.id, randomUUID()])
      expect(await codeOf(reject(id))).toBe('404 record_not_found');
    expect((await readProposal(grace, proposal.id)).status).toBe('pending');
  });

  it('20 at once: one 200, and the others 409', async () => {
    const { proposal } = await givenUpdate(workspace, ada);
    const responses = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => reject(proposal.id, { reason: `${i}` })),
    );
    const won = responses.flatMap((each) => (each.status === 'fulfilled' ? [each.value.body.proposal] : []));
    expect(won).toHaveLength(1);
    expect(await readProposal(ada, proposal.id)).toEqual(won[0]);
    for (const each of responses)
      if (each.status === 'rejected') expect(each.reason.code).toBe('proposal_already_answered');
  });

  it('is pending or rejected, and in the list of its status, whichever call fails', async () => {
    for (let call = 1; call <= 6; call += STRIDE)
      for (const when of ['before', 'after'] as const) {
        const { proposal } = await givenUpdate(workspace, ada);
        const fault = failCall(workspace.table, call, when);
        await reject(proposal.id).catch(() => {});
        fault.remove();
        const { status } = await readProposal(ada, proposal.id);
        for (const each of ['pending', 'rejected'] as const) {
          const { records } = (await ada.reader.listProposals({ query: { status: each } })).body.collection;
          expect(records.some(({ id }) => id === proposal.id)).toBe(each === status);
        }
      }
  });
});
