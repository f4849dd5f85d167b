import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { givenComment } from '../../support/comments.ts';
import { mergeInto } from '../../support/duplicates.ts';
import { codeOf, failureOf } from '../../support/failures.ts';
import {
  accept,
  givenContact,
  givenProposal,
  givenTagging,
  givenUpdate,
  readProposal,
} from '../../support/proposals.ts';
import { givenThread, hideThread } from '../../support/threads.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

const DAY = 86_400_000;

describe('GET /proposals/{id}', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ ada, grace } = workspace);
  });
  afterAll(() => workspace.stop());
  afterEach(() => workspace.setTime(undefined));

  const retrieve = (user: TestUser, id: string) => user.reader.retrieveProposal({ params: { id } });

  it('200: everything about a change of a contact, without tag_id', async () => {
    const { contact, proposal } = await givenUpdate(workspace, ada, { rationale: 'Her signature says so.' });
    expect(await readProposal(ada, proposal.id)).toEqual({
      id: proposal.id,
      user_id: ada.user.id,
      action_type: 'contact.update',
      status: 'pending',
      record_type: 'contact',
      record_id: contact.id,
      applied_record_type: null,
      applied_record_id: null,
      display: {
        title: `Change ${contact.name}`,
        summary: null,
        changes: [{ field: 'headline', label: 'Headline', before: 'Clerk', after: 'Analyst' }],
      },
      params: { record_id: contact.id, headline: 'Analyst' },
      base_updated_at: null,
      rationale: 'Her signature says so.',
      resolution_reason: null,
      actions: ['accept', 'reject'],
      agent_slug: null,
      source: null,
      resolved_by_user_id: null,
      resolved_at: null,
      expires_at: new Date(Date.parse(proposal.created_at) + 30 * DAY).toISOString(),
      created_at: proposal.created_at,
      updated_at: null,
    });
  });

  it('200: tag_id is null while a proposed new tag does not exist yet', async () => {
    const { proposal } = await givenTagging(workspace, ada, 'Not there yet');
    expect(await readProposal(ada, proposal.id)).toMatchObject({ action_type: 'tag.apply', tag_id: null });
    const { tag } = (await grace.api.createTag({ body: { tag: { name: 'NOT THERE YET' } } })).body;
    expect((await readProposal(ada, proposal.id)).tag_id).toBe(tag.id);
  });

  it('200: tag_id is null once the tag is deleted, also of one that was proposed by its name', async () => {
    const { tag } = (await ada.api.createTag({ body: { tag: { name: 'Gone by now' } } })).body;
    const { contact, proposal } = await givenTagging(workspace, ada, 'Gone by now');
    const params = { record_type: 'contact', record_id: contact.id, tag_id: tag.id };
    const byId = await givenProposal(workspace, ada, { action_type: 'tag.apply', params });
    const ids = async () => [
      (await readProposal(ada, proposal.id)).tag_id,
      (await readProposal(ada, byId.id)).tag_id,
    ];
    expect(await ids()).toEqual([tag.id, tag.id]);
    await ada.api.deleteTag({ params: { id: tag.id }, body: {} });
    expect(await ids()).toEqual([null, null]);
    const again = (await ada.api.createTag({ body: { tag: { name: 'Gone by now' } } })).body.tag;
    expect(await ids()).toEqual([again.id, null]);
  });

  it('200: names its source as the user sees it', async () => {
    const thread = await givenThread(workspace, { users: [ada], subject: 'Ferry times' });
    const { proposal } = await givenUpdate(workspace, ada, { source: { type: 'thread', id: thread.id } });
    const source = { type: 'thread', id: thread.id, label: 'Ferry times' };
    expect((await readProposal(ada, proposal.id)).source).toEqual(source);
    await hideThread(workspace, thread, ada);
    expect((await readProposal(ada, proposal.id)).source).toEqual({ ...source, label: null });
  });

  it('200: can be undone for 7 days', async () => {
    const { proposal } = await givenUpdate(workspace, ada);
    const { resolved_at } = await accept(ada, proposal.id);
    const end = Date.parse(resolved_at as string) + 7 * DAY;
    workspace.setTime(new Date(end - 1));
    expect((await readProposal(ada, proposal.id)).actions).toEqual(['undo']);
    workspace.setTime(new Date(end));
    expect((await readProposal(ada, proposal.id)).actions).toEqual([]);
  });

  it('200: one from a comment, for any user who sees its record and the target', async () => {
    const thread = await givenThread(workspace, { users: [ada, grace] });
    const comment = await givenComment(ada, thread);
    const source = { type: 'comment', id: comment.id };
    const { contact, proposal } = await givenUpdate(workspace, ada, { source });
    const shown = await readProposal(grace, proposal.id);
    expect(shown).toMatchObject({
      user_id: ada.user.id,
      record_id: contact.id,
      actions: ['accept', 'reject'],
    });
    expect(shown.source).toEqual({ ...source, label: null });
    expect(await codeOf(retrieve(workspace.linus, proposal.id))).toBe('404 record_not_found');
    await hideThread(workspace, thread, grace);
    expect(await codeOf(retrieve(grace, proposal.id))).toBe('404 record_not_found');
    expect((await readProposal(ada, proposal.id)).id).toBe(proposal.id);
  });

  it('200: one from a comment, for any user who sees what the target became part of', async () => {
    const thread = await givenThread(workspace, { users: [ada, grace] });
    const source = { type: 'comment', id: (await givenComment(ada, thread)).id };
    const [open, hidden] = [
      await givenUpdate(workspace, ada, { source }),
      await givenUpdate(workspace, ada, { source }),
    ];
    await mergeInto(ada, (await givenContact(ada)).id, open.contact.id);
    await mergeInto(ada, (await givenContact(ada, { visibility: 'private' })).id, hidden.contact.id);
    expect((await retrieve(grace, open.proposal.id)).status).toBe(200);
    expect(await codeOf(retrieve(grace, hidden.proposal.id))).toBe('404 record_not_found');
  });

  it('404: for a user who sees the comment and not the target, and after the comment is deleted', async () => {
    const thread = await givenThread(workspace, { users: [ada, grace] });
    const comment = await givenComment(ada, thread);
    const source = { type: 'comment', id: comment.id };
    const secret = await givenContact(ada, { visibility: 'private' });
    const params = { record_id: secret.id, headline: 'Spy' };
    const hidden = await givenProposal(workspace, ada, { action_type: 'contact.update', params, source });
    const { proposal } = await givenUpdate(workspace, ada, { source });
    expect(await codeOf(retrieve(grace, hidden.id))).toBe('404 record_not_found');
    expect((await retrieve(grace, proposal.id)).status).toBe(200);
    await ada.api.deleteComment({ params: { id: comment.id } });
    expect(await codeOf(retrieve(grace, proposal.id))).toBe('404 record_not_found');
    expect((await retrieve(ada, proposal.id)).status).toBe(200);
  });

  it('404: the same for ids of a colleague, of another account, unknown and malformed ones', async () => {
    const thread = await givenThread(workspace, { users: [ada, grace] });
    const conversation = { type: 'conversation', id: randomUUID() };
    const own = [
      (await givenUpdate(workspace, grace)).proposal.id,
      (await givenUpdate(workspace, grace, { source: conversation })).proposal.id,
      (await givenUpdate(workspace, grace, { source: { type: 'thread', id: thread.id } })).proposal.id,
    ];
    const foreign = (await givenUpdate(workspace, workspace.hank)).proposal.id;
    const responses = await Promise.all(
      [...own, foreign, randomUUID(), 'nonsense'].map(
        async (id) => (await failureOf(retrieve(ada, id))).message,
      ),
    );
    expect(responses[0]).toMatch(/^404 record_not_found/);
    expect(new Set(responses).size).toBe(1);
  });
});
