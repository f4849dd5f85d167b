import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from '../../support/failures.ts';
import { meanwhile } from '../../support/faults.ts';
import { longIt } from '../../support/long.ts';
import {
  accept,
  givenContact,
  givenProposal,
  givenTagging,
  givenUpdate,
  readContact,
  readProposal,
  reject,
  tagNames,
  undo,
} from '../../support/proposals.ts';
import { expectConsistent, runCleanUps } from '../../support/tags.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /proposals/{proposal_id}/undo', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    ({ ada, grace } = workspace);
  });
  afterAll(() => workspace.stop());
  afterEach(() => workspace.setTime(undefined));

  const undoing = (proposal_id: string, user = ada) => user.api.undoProposal({ params: { proposal_id } });
  const given = (action_type: string, params: object, user = ada) =>
    givenProposal(workspace, user, { action_type, params });
  const NOT_UNDOABLE = '422 proposal_not_undoable';

  it('200: contact.update: restores the values, with name, place and addresses', async () => {
    const addresses = (...list: string[]) => list.map((email_address) => ({ email_address }));
    const contact = await givenContact(ada, {
      name: 'Before',
      external_id: 'before',
      email_addresses: addresses('a@undo.example', 'b@undo.example'),
      custom_fields: { kept: 1, changed: 1e300 },
    });
    const { id } = await given('contact.update', {
      record_id: contact.id,
      name: 'After',
      external_id: null,
      headline: 'New',
      visibility: 'private',
      email_addresses: addresses('b@undo.example', 'c@undo.example'),
      custom_fields: { changed: null, added: true },
    });
    await accept(ada, id);
    expect(await readContact(ada, contact.id)).toMatchObject({
      name: 'After',
      external_id: null,
      custom_fields: { kept: 1, added: true },
    });
    const undone = await undo(ada, id);
    expect(undone).toMatchObject({ status: 'undone', actions: [], resolved_by_user_id: ada.user.id });
    expect(await readProposal(ada, id)).toEqual(undone);
    const restored = await readContact(grace, contact.id);
    expect(restored).toEqual({ ...contact, updated_at: restored.updated_at });
    await givenContact(grace, { email_addresses: addresses('c@undo.example') });
    await expect(givenContact(grace, { email_addresses: addresses('a@undo.example') })).rejects.toMatchObject(
      {
        code: 'email_address_taken',
      },
    );
    await expect(givenContact(grace, { external_id: 'before' })).rejects.toMatchObject({ status: 409 });
  });

  it('200: contact.create: deletes it, and frees its address and external id', async () => {
    const draft = { email_addresses: [{ email_address: 'new@undo.example' }], external_id: 'new' };
    const { id } = await given('contact.create', { name: 'New', ...draft });
    const { applied_record_id } = await accept(ada, id);
    expect((await undo(ada, id)).status).toBe('undone');
    await expect(readContact(ada, applied_record_id as string)).rejects.toMatchObject({ status: 404 });
    expect((await givenContact(ada, draft)).external_id).toBe('new');
  });

  it('200: tag.apply: removes the tag from the record, not from the account', async () => {
    const { contact, proposal } = await givenTagging(workspace, ada, 'Hasty');
    const { tag_id } = await accept(ada, proposal.id);
    expect(await undo(ada, proposal.id)).toMatchObject({ status: 'undone', tag_id });
    expect(tagNames(await readContact(ada, contact.id))).toEqual([]);
    const { tag } = (await ada.reader.retrieveTag({ params: { id: tag_id as string } })).body;
    expect(tag).toMatchObject({ name: 'Hasty', contact_count: 0 });
    await expectConsistent(workspace.table, workspace.account_id);
  });

  it('200: tag.remove: applies the tag again', async () => {
    const { contact, proposal } = await givenTagging(workspace, ada, 'Kept after all');
    const { tag_id } = await accept(ada, proposal.id);
    const { id } = await given('tag.remove', { record_type: 'contact', record_id: contact.id, tag_id });
    await accept(ada, id);
    expect(tagNames(await readContact(ada, contact.id))).toEqual([]);
    await undo(ada, id);
    expect(tagNames(await readContact(ada, contact.id))).toEqual(['Kept after all']);
    await expectConsistent(workspace.table, workspace.account_id);
  });

  it('422: pending, rejected, or undone already', async () => {
    const [pending, rejected, undone] = [
      (await givenUpdate(workspace, ada)).proposal,
      (await givenUpdate(workspace, ada)).proposal,
      (await givenUpdate(workspace, ada)).proposal,
    ];
    await reject(ada, rejected.id);
    await accept(ada, undone.id);
    await undo(ada, undone.id);
    for (const { id } of [pending, rejected, undone]) expect(await codeOf(undoing(id))).toBe(NOT_UNDOABLE);
  });

  it('422: after 7 days, and not a millisecond before', async () => {
    const [early, late] = [
      (await givenUpdate(workspace, ada)).proposal,
      (await givenUpdate(workspace, ada)).proposal,
    ];
    workspace.setTime(new Date());
    for (const { id } of [early, late]) await accept(ada, id);
    const end = workspace.ctx.now.getTime() + 7 * 86_400_000;
    workspace.setTime(new Date(end - 1));
    expect((await undo(ada, early.id)).status).toBe('undone');
    workspace.setTime(new Date(end));
    expect(await codeOf(undoing(late.id))).toBe(NOT_UNDOABLE);
  });

  it('422: the contact was changed since, also within the same millisecond', async () => {
    workspace.setTime(new Date());
    const { contact, proposal } = await givenUpdate(workspace, ada);
    await accept(ada, proposal.id);
    await accept(ada, (await given('contact.update', { record_id: contact.id, nickname: 'Since' })).id);
    expect(await codeOf(undoing(proposal.id))).toBe(NOT_UNDOABLE);
    expect(await readContact(ada, contact.id)).toMatchObject({ headline: 'Analyst', nickname: 'Since' });
    expect((await readProposal(ada, proposal.id)).status).toBe('applied');
  });

  it('422: an address that it had is now on another contact', async () => {
    const email_addresses = [{ email_address: 'lost@undo.example' }];
    const contact = await givenContact(ada, { email_addresses });
    const { id } = await given('contact.update', { record_id: contact.id, email_addresses: [] });
    await accept(ada, id);
    await givenContact(grace, { email_addresses });
    expect(await codeOf(undoing(id))).toBe(NOT_UNDOABLE);
  });

  it.each([
    ['commented on', (id: string) => ({ record_type: 'contacts' as const, record_id: id })],
    ['tagged', (id: string) => ({ record_type: 'contacts' as const, record_id: id })],
  ])('422: the new contact was %s', async (how, paramsOf) => {
    const { id } = await given('contact.create', { name: `New, ${how}` });
    const contact = (await accept(ada, id)).applied_record_id as string;
    const params = paramsOf(contact);
    if (how === 'tagged') await grace.api.applyTag({ params, body: { tag: { name: 'On it' } } });
    else await grace.api.createComment({ params, body: { comment: { html_content: 'On it' } } });
    expect(await codeOf(undoing(id))).toBe(NOT_UNDOABLE);
    expect((await readContact(ada, contact)).name).toBe(`New, ${how}`);
  });

  it('422: the new contact was tagged between reading and writing', async () => {
    const { id } = await given('contact.create', { name: 'Tagged meanwhile' });
    const record_id = (await accept(ada, id)).applied_record_id as string;
    const params = { record_type: 'contacts' as const, record_id };
    const fault = meanwhile(workspace.table, 'TransactWriteItemsCommand', () =>
      grace.api.applyTag({ params, body: { tag: { name: 'Quick' } } }),
    );
    expect(await codeOf(undoing(id))).toBe(NOT_UNDOABLE);
    fault.remove();
    expect(tagNames(await readContact(ada, record_id))).toEqual(['Quick']);
    await expectConsistent(workspace.table, workspace.account_id);
  });

  longIt('200: tag actions whose tag was replaced since, before and after its records follow', async () => {
    const [contact, other] = [await givenContact(ada), await givenContact(ada)];
    const newTag = async (name: string) => (await ada.api.createTag({ body: { tag: { name } } })).body.tag.id;
    const [old, kept] = [await newTag('Old of undone'), await newTag('Kept of undone')];
    const propose = (action: string, { id }: { id: string }) =>
      given(action, { record_type: 'contact', record_id: id, tag_id: old });
    const applying = [await propose('tag.apply', contact), await propose('tag.apply', other)] as const;
    for (const { id } of applying) await accept(ada, id);
    await ada.api.deleteTag({ params: { id: old }, body: { replacement_tag_id: kept } });
    expect((await undo(ada, applying[0].id)).status).toBe('undone');
    await runCleanUps(workspace);
    expect((await undo(ada, applying[1].id)).status).toBe('undone');
    for (const { id } of [contact, other]) expect(tagNames(await readContact(ada, id))).toEqual([]);
  });

  longIt('422: the tag was removed, applied again, or deleted since', async () => {
    const applied = async (name: string) => {
      const { contact, proposal } = await givenTagging(workspace, ada, name);
      const { tag_id } = await accept(ada, proposal.id);
      const params = { record_type: 'contacts' as const, record_id: contact.id, tag_id: tag_id as string };
      return { id: proposal.id, params };
    };
    const [off, again, deleted] = [await applied('Off'), await applied('Again'), await applied('Deleted')];
    for (const { params } of [off, again]) await grace.api.removeTag({ params });
    await grace.api.applyTag({ params: again.params, body: { tag_id: again.params.tag_id } });
    await ada.api.deleteTag({ params: { id: deleted.params.tag_id }, body: {} });
    for (const { id } of [off, again, deleted]) expect(await codeOf(undoing(id))).toBe(NOT_UNDOABLE);
    expect(tagNames(await readContact(ada, again.params.record_id))).toEqual(['Again']);
    const removal = await given('tag.remove', { ...again.params, record_type: 'contact' });
    await accept(ada, removal.id);
    await grace.api.applyTag({ params: again.params, body: { tag_id: again.params.tag_id } });
    expect(await codeOf(undoing(removal.id))).toBe(NOT_UNDOABLE);
  });

  it('404: of a colleague, of another account and unknown', async () => {
    const { proposal } = await givenUpdate(workspace, grace);
    await accept(grace, proposal.id);
    const foreign = (await givenUpdate(workspace, workspace.hank)).proposal;
    for (const id of [proposal.id, foreign.id, randomUUID()])
      expect(await codeOf(undoing(id))).toBe('404 record_not_found');
  });

  longIt('20 at once: one 200, and the others 422', async () => {
    const { contact, proposal } = await givenUpdate(workspace, ada);
    await accept(ada, proposal.id);
    const responses = await Promise.allSettled(Array.from({ length: 20 }, () => undoing(proposal.id)));
    expect(responses.map((each) => (each.status === 'fulfilled' ? 200 : each.reason.status)).sort()).toEqual([
      200,
      ...Array(19).fill(422),
    ]);
    expect((await readContact(ada, contact.id)).headline).toBe('Clerk');
  });
});
