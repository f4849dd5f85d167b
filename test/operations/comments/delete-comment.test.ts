import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  commentsOf,
  eventsOf,
  givenComment,
  givenReaction,
  givenReactions,
  givenReply,
  listed,
  remains,
} from '../../support/comments.ts';
import { documentOf } from '../../support/documents.ts';
import { codeOf, failureOf } from '../../support/failures.ts';
import { cases, longIt, reduced } from '../../support/long.ts';
import { type GivenThread, givenThread, hideThread } from '../../support/threads.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('DELETE /comments/{id}', () => {
  let workspace: Workspace;
  let thread: GivenThread;
  beforeAll(async () => {
    workspace = await startWorkspace();
    thread = await givenThread(workspace, { users: [workspace.ada, workspace.grace] });
  });
  afterAll(() => workspace.stop());

  const remove = (id: string, user: TestUser = workspace.grace) => user.api.deleteComment({ params: { id } });

  it('204: deletes the comment with its mentions and reactions, and leaves nothing', async () => {
    const { ada, grace } = workspace;
    const other = await givenComment(grace, thread);
    const comment = await givenComment(grace, thread);
    await givenReaction(ada, comment);
    await givenReaction(grace, comment);
    expect(await remains(workspace, thread, comment)).toHaveLength(5);
    const { status, body } = await remove(comment.id);
    expect([status, body]).toEqual([204, null]);
    expect(await remains(workspace, thread, comment)).toEqual([]);
    expect((await commentsOf(ada, thread)).map(({ id }) => id)).toEqual([other.id]);
  });

  it('204: deletes a long comment completely', async () => {
    const comment = await givenComment(workspace.grace, thread, {
      html_content: 'a'.repeat(199_000),
      json_content: documentOf({ type: 'text', text: 'b'.repeat(190_000) }),
    });
    expect((await remains(workspace, thread, comment)).length).toBeGreaterThan(3);
    await remove(comment.id);
    expect(await remains(workspace, thread, comment)).toEqual([]);
  });

  it('404: the second time', async () => {
    const { id } = await givenComment(workspace.grace, thread);
    await remove(id);
    expect(await codeOf(remove(id))).toBe('404 record_not_found');
  });

  longIt(
    'keeps replies of the deleted comment as top-level, however many; their replies do not move',
    async () => {
      const { grace } = workspace;
      const own = await givenThread(workspace, { users: [grace] });
      const parent = await givenComment(grace, own);
      const replies = [];
      for (let i = 0; i < reduced(120); i++)
        replies.push(await givenComment(grace, own, { parent_comment_id: parent.id }));
      const below = await givenComment(grace, own, { parent_comment_id: replies[0]?.id });
      await remove(parent.id);
      const left = await commentsOf(grace, own);
      expect(left.map(({ id }) => id)).toEqual([...replies, below].map(({ id }) => id));
      expect(left.slice(0, -1).every((reply) => reply.parent_comment_id === null)).toBe(true);
      expect(left.at(-1)?.parent_comment_id).toBe(replies[0]?.id);
      const { body } = await grace.reader.retrieveThread({ params: { id: own.id } });
      expect(body.thread.comments).toEqual(left);
    },
  );

  it('a comment whose parent was deleted can be replied to; the deleted one cannot', async () => {
    const { grace } = workspace;
    const parent = await givenComment(grace, thread);
    const reply = await givenComment(grace, thread, { parent_comment_id: parent.id });
    await remove(parent.id);
    expect(await codeOf(givenComment(grace, thread, { parent_comment_id: parent.id }) as never)).toBe(
      '404 record_not_found',
    );
    const next = await givenComment(grace, thread, { parent_comment_id: reply.id });
    expect(next.parent_comment_id).toBe(reply.id);
  });

  it.each(cases([97, 98], [95, 96, 1_234]))('204: with %d reactions', async (count) => {
    const { ada, grace } = workspace;
    const comment = await givenComment(grace, thread);
    await givenReactions(workspace, ada, thread, comment, count);
    expect((await listed(ada, thread, comment.id))?.reactions).toHaveLength(count);
    expect((await remove(comment.id)).status).toBe(204);
    expect(await listed(ada, thread, comment.id)).toBeUndefined();
    // What does not fit into one transaction is left to a job: test/queues/remove-reactions.test.ts.
    const left = await remains(workspace, thread, comment);
    expect(left.length).toBe(count > 97 ? count : 0);
    const comment_id = comment.id;
    expect(
      await codeOf(ada.api.addReaction({ params: { comment_id }, body: { reaction: { text: 'x' } } })),
    ).toBe('404 record_not_found');
  });

  longIt('204: a reply of the assistant, by the user who asked; the question stays', async () => {
    const { ada, grace } = workspace;
    for (const status of ['pending', 'complete', 'failed'] as const) {
      const question = await givenComment(grace, thread);
      const reply = await givenReply(workspace, grace, thread, { status, parent_comment_id: question.id });
      await givenReaction(ada, reply);
      expect(await codeOf(remove(reply.id, ada))).toBe('404 record_not_found');
      expect((await remove(reply.id, grace)).status).toBe(204);
      expect(await remains(workspace, thread, reply)).toEqual([]);
      expect(await listed(grace, thread, question.id)).toEqual(question);
    }
  });

  it('a reply of the assistant whose question was deleted is kept as top-level', async () => {
    const { grace } = workspace;
    const question = await givenComment(grace, thread);
    const reply = await givenReply(workspace, grace, thread, { parent_comment_id: question.id });
    expect((await listed(grace, thread, reply.id))?.parent_comment_id).toBe(question.id);
    await remove(question.id);
    expect((await listed(grace, thread, reply.id))?.parent_comment_id).toBeNull();
  });

  it('a user who deleted their only comment is no earlier commenter; one with another comment still is', async () => {
    const { ada, grace, linus } = workspace;
    const own = await givenThread(workspace, { users: [ada, grace, linus] });
    const only = await givenComment(grace, own);
    const [first] = [await givenComment(linus, own), await givenComment(linus, own)];
    await remove(only.id, grace);
    await remove(first?.id as string, linus);
    const before = await eventsOf(linus, own);
    await givenComment(ada, own);
    expect(await eventsOf(grace, own)).toEqual(['comment_added', 'comment_added']);
    expect(await eventsOf(linus, own)).toEqual(['comment_added', ...before]);
  });

  it('404: the same for somebody else’s comment, unknown and malformed ids, and another account’s', async () => {
    const { ada, grace, hank } = workspace;
    const foreign = await givenThread(workspace, { users: [hank] });
    const theirs = await givenComment(ada, thread);
    const ids = [theirs.id, (await givenComment(hank, foreign)).id, randomUUID(), thread.id, 'nonsense'];
    const responses = [];
    for (const id of ids) responses.push((await failureOf(remove(id, grace))).message);
    expect(responses[0]).toMatch(/^404 record_not_found/);
    expect(new Set(responses).size).toBe(1);
    expect(await listed(ada, thread, theirs.id)).toEqual(theirs);
    expect(await commentsOf(hank, foreign)).toHaveLength(1);
  });

  it('404: an admin may not delete what somebody else wrote', async () => {
    const comment = await givenComment(workspace.grace, thread);
    expect(workspace.ada.user.role).toBe('owner');
    expect(await codeOf(remove(comment.id, workspace.ada))).toBe('404 record_not_found');
  });

  it('404: the user’s own comment on a record that the user does not see any more', async () => {
    const { ada, linus } = workspace;
    const shared = await givenThread(workspace, { users: [ada, linus] });
    const comment = await givenComment(linus, shared);
    await hideThread(workspace, shared, linus);
    expect(await codeOf(remove(comment.id, linus))).toBe('404 record_not_found');
    expect(await listed(ada, shared, comment.id)).toEqual(comment);
  });

  it('204: on a contact', async () => {
    const { grace } = workspace;
    const { contact } = (await grace.api.createContact({ body: { contact: { name: 'Ada Byron' } } })).body;
    const params = { record_type: 'contacts' as const, record_id: contact.id };
    const created = await grace.api.createComment({ params, body: { comment: { html_content: 'a' } } });
    await remove(created.body.comment.id);
    const retrieved = await grace.reader.retrieveContact({ params: { id: contact.id } });
    expect(retrieved.body.contact.comments).toEqual([]);
  });

  it('403 api_key_insufficient: with a read key', async () => {
    const { id } = await givenComment(workspace.grace, thread);
    expect(await codeOf(workspace.grace.reader.deleteComment({ params: { id } }))).toBe(
      '403 api_key_insufficient',
    );
  });
});
