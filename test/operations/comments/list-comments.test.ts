import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { commentable } from '#shared/composition/commenting.ts';
import type { Proposal } from '#shared/domain/assistant/proposals/proposal.ts';
import type { CommentRecord } from '#shared/domain/collaboration/comments/comment.ts';
import type { Ref } from '#shared/domain/collaboration/replies/block.ts';
import { givenReply } from '../../support/comments.ts';
import { codeOf, failureOf } from '../../support/failures.ts';
import { longIt } from '../../support/long.ts';
import { bestOfFive } from '../../support/meter.ts';
import {
  accept,
  givenContact,
  givenProposal,
  givenTagging,
  givenUpdate,
  reject,
  undo,
} from '../../support/proposals.ts';
import { countRoundTrips } from '../../support/round-trips.ts';
import { type GivenThread, givenThread, hideThread } from '../../support/threads.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('GET /{record_type}/{record_id}/comments', () => {
  let workspace: Workspace;
  let thread: GivenThread;
  beforeAll(async () => {
    workspace = await startWorkspace();
    thread = await givenThread(workspace, { users: [workspace.ada, workspace.grace] });
  });
  afterAll(() => workspace.stop());
  afterEach(() => workspace.setTime(undefined));

  const list = (user: TestUser = workspace.grace, id = thread.id) =>
    user.reader.listComments({ params: { record_type: 'threads', record_id: id } });
  const write = async (html_content: string, parent?: string, id = thread.id): Promise<CommentRecord> => {
    const params = { record_type: 'threads' as const, record_id: id };
    const comment = { html_content, ...(parent ? { parent_comment_id: parent } : {}) };
    return (await workspace.ada.api.createComment({ params, body: { comment } })).body.comment;
  };

  it('200: none yet', async () => {
    expect(await list()).toMatchObject({ status: 200, body: { comments: [] } });
  });

  it('200: all of them with replies, oldest first, each as in the response of its creation', async () => {
    const start = new Date('2026-11-20T09:00:00.000Z');
    const written: CommentRecord[] = [];
    for (const [i, minutes] of [5, 1, 3, 2].entries()) {
      workspace.setTime(new Date(start.getTime() + minutes * 60_000));
      written.push(await write(`<p>${minutes}</p>`, i > 1 ? written[0]?.id : undefined));
    }
    const { body } = await list();
    const oldestFirst = [...written].sort((a, b) => ((a.created_at ?? '') < (b.created_at ?? '') ? -1 : 1));
    expect(body.comments.map(({ html_content }) => html_content)).toEqual([
      '<p>1</p>',
      '<p>2</p>',
      '<p>3</p>',
      '<p>5</p>',
    ]);
    expect(body.comments).toEqual(oldestFirst);
    expect(body.comments.filter((each) => each.parent_comment_id === written[0]?.id)).toHaveLength(2);
  });

  it('200: comments of the same moment are in the order of their ids', async () => {
    const { id } = await givenThread(workspace, { users: [workspace.ada] });
    workspace.setTime(new Date('2026-11-20T10:00:00.000Z'));
    const written = await Promise.all(
      Array.from({ length: 8 }, (_, i) => write(`<p>${i}</p>`, undefined, id)),
    );
    const { body } = await list(workspace.ada, id);
    expect(body.comments.map((each) => each.id)).toEqual(written.map((each) => each.id).sort());
  });

  longIt('200: more than one page of the table', async () => {
    const { id } = await givenThread(workspace, { users: [workspace.ada] });
    const text = 'x'.repeat(190_000);
    const written = [];
    for (let i = 0; i < 8; i++) written.push(await write(`<p>${i}${text}</p>`, undefined, id));
    const { body } = await list(workspace.ada, id);
    expect(body.comments).toEqual(written);
  });

  it('200: a contact shows its comments when it is retrieved', async () => {
    const { body } = await workspace.grace.api.createContact({ body: { contact: { name: 'Ada Byron' } } });
    const params = { record_type: 'contacts' as const, record_id: body.contact.id };
    const comment = { html_content: '<p>Met in London</p>' };
    const created = await workspace.ada.api.createComment({ params, body: { comment } });
    expect(created.body.comment).toMatchObject({ contact_id: body.contact.id, thread_id: null });
    const retrieved = await workspace.grace.reader.retrieveContact({ params: { id: body.contact.id } });
    expect(retrieved.body.contact.comments).toEqual([created.body.comment]);
    expect((await workspace.grace.reader.listComments({ params })).body.comments).toEqual([
      created.body.comment,
    ]);
  });

  describe('replies of the assistant', () => {
    it('200: has text, status, blocks and refs, and no content of its own', async () => {
      const { ada, grace } = workspace;
      const { contact } = (await ada.api.createContact({ body: { contact: { name: 'Priya Raman' } } })).body;
      const question = await write('<p>When?</p>');
      const blocks = [
        { type: 'text' as const, text: 'On Thursday.' },
        { type: 'cards' as const, ids: [contact.id], card_type: 'Contact' as const },
      ];
      const reply = await givenReply(workspace, ada, thread, {
        parent_comment_id: question.id,
        blocks,
        refs: [{ type: 'contact', id: contact.id }],
      });
      const { body } = await list(grace);
      expect(body.comments.at(-1)).toEqual({
        ...question,
        id: reply.id,
        plain_text: 'On Thursday.',
        html_content: null,
        json_content: null,
        text: 'On Thursday.',
        parent_comment_id: question.id,
        user_id: ada.user.id,
        agent: 'assistant',
        status: 'complete',
        blocks,
        refs: [{ type: 'contact', id: contact.id, label: 'Priya Raman' }],
        created_at: reply.created_at,
        updated_at: null,
      });
    });

    it.each([
      ['pending', null],
      ['failed', 'The model did not answer.'],
    ] as const)('200: is %s', async (status, text) => {
      const reply = await givenReply(workspace, workspace.ada, thread, { status, text });
      const { body } = await list();
      expect(body.comments.find(({ id }) => id === reply.id)).toMatchObject({ status, text, blocks: [] });
    });

    it('200: names referenced records as the key’s user sees them, null when the user does not see them', async () => {
      const { ada, grace } = workspace;
      const both = await givenThread(workspace, { users: [ada, grace] });
      const hidden = await givenThread(workspace, { users: [ada], subject: 'Salaries' });
      const foreign = await givenThread(workspace, { users: [workspace.hank], subject: 'Secret' });
      const refs = [hidden, both, foreign].map(({ id }) => ({ type: 'thread', id }));
      const others = ['contact', 'task', 'deal'].map((type) => ({ type, id: randomUUID() }));
      const rows = refs.map((ref) => ({
        cells: { a: 1 },
        ref: { ...ref, label: 'as the assistant saw it' },
      }));
      const table = { type: 'table' as const, columns: [{ key: 'a', label: 'A' }], rows };
      await givenReply(workspace, ada, both, { refs: [...refs, ...others], blocks: [table] });
      const labels = async (user: TestUser) => {
        const comment = (await list(user, both.id)).body.comments[0];
        const [block] = comment?.blocks ?? [];
        const inTable = block?.type === 'table' ? block.rows.map((row) => row.ref?.label) : [];
        return [comment?.refs.map(({ label }) => label), inTable];
      };
      const none = [null, null, null];
      expect(await labels(ada)).toEqual([
        ['Salaries', 'Ferry times', null, ...none],
        ['Salaries', 'Ferry times', null],
      ]);
      expect(await labels(grace)).toEqual([
        [null, 'Ferry times', null, ...none],
        [null, 'Ferry times', null],
      ]);
    });
  });

  describe('proposals of the assistant', () => {
    const blocks = (...proposals: { id: string }[]) =>
      proposals.map(({ id }) => ({ type: 'proposal' as const, proposal_id: id }));
    /** A question of Ada's, with proposals for her in its reply. */
    const asked = async (propose: (source: Ref) => Promise<{ id: string }>[]) => {
      const { ada, grace } = workspace;
      const place = await givenThread(workspace, { users: [ada, grace] });
      const question = await write('<p>Could you?</p>', undefined, place.id);
      const proposals = await Promise.all(propose({ type: 'comment', id: question.id }));
      await givenReply(workspace, ada, place, { blocks: blocks(...proposals) });
      const shown = async (user: TestUser) => (await list(user, place.id)).body.comments.at(-1)?.blocks;
      return { place, proposals, shown };
    };
    const update = async (source: Ref) => (await givenUpdate(workspace, workspace.ada, { source })).proposal;

    longIt('200: shows the current status: pending, applied, undone, rejected', async () => {
      const { ada, grace } = workspace;
      const { proposals, shown } = await asked((source) => [update(source), update(source), update(source)]);
      const [one, two, three] = proposals as [Proposal, Proposal, Proposal];
      const pending = {
        type: 'proposal',
        proposal_id: one.id,
        action_type: 'contact.update',
        status: 'pending',
        record_type: 'contact',
        record_id: one.record_id,
        applied_record_type: null,
        applied_record_id: null,
        display: one.display,
        resolution_reason: null,
        actions: ['accept', 'reject'],
      };
      expect((await shown(ada))?.[0]).toEqual(pending);
      expect(await shown(grace)).toEqual(await shown(ada));
      await accept(grace, one.id);
      await reject(ada, two.id);
      await accept(ada, three.id);
      await undo(ada, three.id);
      const [applied, ...others] = (await shown(ada)) ?? [];
      expect(applied).toEqual({
        ...pending,
        status: 'applied',
        applied_record_type: 'contact',
        applied_record_id: one.record_id,
        actions: ['undo'],
      });
      expect(others).toMatchObject([
        { status: 'rejected', actions: [], applied_record_id: null },
        { status: 'undone', actions: [] },
      ]);
    });

    it('200: shows the tag of tag actions, null while it does not exist yet', async () => {
      const { ada } = workspace;
      const { proposals, shown } = await asked((source) => [
        givenTagging(workspace, ada, 'Proposed here', source).then(({ proposal }) => proposal),
        update(source),
      ]);
      const tagIds = async () => (await shown(ada))?.map((each) => ('tag_id' in each ? each.tag_id : 'none'));
      expect(await tagIds()).toEqual([null, 'none']);
      const { tag_id } = await accept(ada, (proposals[0] as Proposal).id);
      expect(await tagIds()).toEqual([tag_id, 'none']);
    });

    it('200: is unavailable, with its id alone, for a user who cannot see it', async () => {
      const { ada, grace } = workspace;
      const secret = await givenContact(ada, { visibility: 'private' });
      const params = { record_id: secret.id, headline: 'Spy' };
      const hidden = { action_type: 'contact.update', params };
      const { proposals, shown } = await asked((source) => [
        givenProposal(workspace, ada, { ...hidden, source }),
        givenProposal(workspace, ada, { ...hidden, source: { type: 'conversation', id: randomUUID() } }),
        update(source),
        Promise.resolve({ id: randomUUID() }),
      ]);
      const unavailable = proposals.map(({ id }) => ({
        type: 'proposal',
        proposal_id: id,
        status: 'unavailable',
      }));
      const [one, two, three, four] = (await shown(grace)) ?? [];
      expect([one, two, four]).toEqual([unavailable[0], unavailable[1], unavailable[3]]);
      expect(three).toMatchObject({ status: 'pending' });
      expect((await shown(ada))?.map((each) => 'status' in each && each.status)).toEqual([
        'pending',
        'pending',
        'pending',
        'unavailable',
      ]);
    });

    it('200: has no actions any more once it has expired', async () => {
      const { shown } = await asked((source) => [update(source)]);
      workspace.setTime(new Date(Date.now() + 31 * 86_400_000));
      expect(await shown(workspace.ada)).toMatchObject([{ status: 'expired', actions: [] }]);
    });

    longIt('200: reads the proposals of all replies together', bestOfFive, async () => {
      const { ada, grace, table } = workspace;
      const depths = [];
      for (const count of [1, 20]) {
        const { place } = await asked((source) => Array.from({ length: count }, () => update(source)));
        for (const user of [ada, grace]) {
          const { depth } = await countRoundTrips(table, () => list(user, place.id));
          depths.push(depth);
        }
      }
      expect(depths.slice(2)).toEqual(depths.slice(0, 2));
    });
  });

  it('404: the same for hidden, foreign, unknown and malformed ids', async () => {
    const hidden = await givenThread(workspace, { users: [workspace.ada] });
    const foreign = await givenThread(workspace, { users: [workspace.hank] });
    const responses = await Promise.all(
      [hidden.id, foreign.id, randomUUID(), 'nonsense'].map(
        async (id) => (await failureOf(list(workspace.grace, id))).message,
      ),
    );
    expect(responses[0]).toMatch(/^404 record_not_found/);
    expect(new Set(responses).size).toBe(1);
  });

  it('404: as soon as the user has lost access', async () => {
    const shared = await givenThread(workspace, { users: [workspace.ada, workspace.linus] });
    expect((await list(workspace.linus, shared.id)).status).toBe(200);
    await hideThread(workspace, shared, workspace.linus);
    expect(await codeOf(list(workspace.linus, shared.id))).toBe('404 record_not_found');
  });

  it.each(commentable)('404: %s that do not exist', async (record_type) => {
    const params = { record_type, record_id: randomUUID() };
    expect(await codeOf(workspace.grace.reader.listComments({ params }))).toBe('404 record_not_found');
  });
});
