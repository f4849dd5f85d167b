import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Comment, CommentPointer } from '#shared/domain/collaboration/comments/comment.ts';
import { keys } from '#shared/table/keys.ts';
import {
  commentsOf,
  eventsOf,
  givenComment,
  givenReaction,
  listed,
  remains,
} from '../../support/comments.ts';
import { documentOf, mentioning } from '../../support/documents.ts';
import { rounds } from '../../support/long.ts';
import { type GivenThread, givenThread } from '../../support/threads.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

/** Concurrent requests: the result is that of some sequential order. */
describe('at once', () => {
  let workspace: Workspace;
  let thread: GivenThread;
  beforeAll(async () => {
    workspace = await startWorkspace({ mail: true });
    const { ada, grace, linus } = workspace;
    thread = await givenThread(workspace, { users: [ada, grace, linus] });
  });
  afterAll(() => workspace?.stop());
  afterEach(() => vi.restoreAllMocks());

  const ROUNDS = rounds(5, 20);
  /** Too large for one item. */
  const long = {
    html_content: 'x'.repeat(199_000),
    json_content: documentOf({ type: 'text', text: 'y'.repeat(190_000) }),
  };
  const remove = (id: string) => workspace.grace.api.deleteComment({ params: { id } });
  const statusOf = (call: Promise<{ status: number }>) =>
    call.then(
      ({ status }) => status,
      ({ status }: { status: number }) => status,
    );

  it('twice the same delete: one 204 and one 404', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const comment = await givenComment(workspace.grace, thread);
      const statuses = await Promise.all([statusOf(remove(comment.id)), statusOf(remove(comment.id))]);
      expect(statuses.sort()).toEqual([204, 404]);
      expect(await remains(workspace, thread, comment)).toEqual([]);
    }
  });

  it('twenty times the same delete: one 204', async () => {
    const comment = await givenComment(workspace.grace, thread);
    const statuses = await Promise.all(Array.from({ length: 20 }, () => statusOf(remove(comment.id))));
    expect(statuses.filter((status) => status === 204)).toHaveLength(1);
    expect(statuses.filter((status) => status === 404)).toHaveLength(19);
  });

  it('two edits: the comment is wholly one of them, and each mentioned user is told once', async () => {
    const { ada, grace, linus } = workspace;
    for (let round = 0; round < ROUNDS; round++) {
      const own = await givenThread(workspace, { users: [ada, grace, linus] });
      const { id } = await givenComment(grace, own, { json_content: mentioning(ada.user.id) });
      const edits = [ada, linus].map((user) => ({
        html_content: `<p>${user.user.name}</p>`,
        json_content: mentioning(user.user.id),
      }));
      const responses = await Promise.all(
        edits.map((comment) => grace.api.updateComment({ params: { id }, body: { comment } })),
      );
      const comment = await listed(grace, own, id);
      const last = edits.findIndex((edit) => edit.html_content === comment?.html_content);
      expect(comment).toEqual(responses[last]?.body.comment);
      expect(comment?.json_content).toBe(edits[last]?.json_content);
      expect(await eventsOf(linus, own)).toEqual(['comment_mentioned']);
      // Linus' edit came first: Ada was not mentioned then, and is again.
      expect((await eventsOf(ada, own)).length).toBe(last === 0 ? 2 : 1);
      expect((await workspace.table.get<Comment>(keys.comment('threads', own.id, id)))?.version).toBe(3);
    }
  });

  it('delete and reply: the reply is top-level, or was refused', async () => {
    const { ada } = workspace;
    for (let round = 0; round < 2 * ROUNDS; round++) {
      const comment = await givenComment(workspace.grace, thread);
      const response = ada.api.createComment({
        params: { record_type: 'threads', record_id: thread.id },
        body: { comment: { html_content: 'Reply', parent_comment_id: comment.id } },
      });
      const [deleted, replied] = await Promise.all([statusOf(remove(comment.id)), statusOf(response)]);
      expect(deleted).toBe(204);
      expect([201, 404]).toContain(replied);
      if (replied === 201) {
        const { id } = (await response).body.comment;
        expect((await listed(ada, thread, id))?.parent_comment_id).toBeNull();
      }
      expect(await remains(workspace, thread, comment)).toEqual([]);
    }
  });

  it('delete and reactions: none is left behind', async () => {
    const { ada, linus } = workspace;
    for (let round = 0; round < ROUNDS; round++) {
      const comment = await givenComment(workspace.grace, thread);
      const params = { comment_id: comment.id };
      const react = () => ada.api.addReaction({ params, body: { reaction: { text: '👍' } } });
      const statuses = await Promise.all([
        statusOf(react()),
        statusOf(remove(comment.id)),
        statusOf(react()),
        statusOf(linus.api.addReaction({ params, body: { reaction: { text: 'ok' } } })),
      ]);
      expect(statuses[1]).toBe(204);
      for (const status of statuses.toSpliced(1, 1)) expect([201, 404]).toContain(status);
      // A reaction between two reads of the deletion leaves all reactions to the job.
      const behind = await remains(workspace, thread, comment);
      expect(behind.every((SK) => SK.includes('#REACTION#'))).toBe(true);
      await expect.poll(() => remains(workspace, thread, comment), { timeout: 20_000 }).toEqual([]);
    }
  });

  it('delete and edit: the comment is gone', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const comment = await givenComment(workspace.grace, thread);
      const edit = workspace.grace.api.updateComment({
        params: { id: comment.id },
        body: { comment: long },
      });
      const [edited, deleted] = await Promise.all([statusOf(edit), statusOf(remove(comment.id))]);
      expect([200, 404]).toContain(edited);
      expect(deleted).toBe(204);
      expect(await remains(workspace, thread, comment)).toEqual([]);
    }
  });

  it('fifty reactions: all are there, and counted', async () => {
    const comment = await givenComment(workspace.grace, thread);
    const { ada, grace, linus } = workspace;
    // Each user adds as many as allowed on one comment.
    const users = [ada, grace, linus].flatMap((user) => Array.from({ length: 20 }, () => user)).slice(0, 50);
    const ids = await Promise.all(users.map(async (user) => (await givenReaction(user, comment)).id));
    const shown = (await listed(workspace.ada, thread, comment.id))?.reactions.map(({ id }) => id);
    expect(shown?.sort()).toEqual(ids.sort());
    const pointer = await workspace.table.get<CommentPointer>(keys.commentPointer(comment.id));
    expect(pointer?.reaction_count).toBe(50);
  });

  it('twice the same removal of a reaction: one 204 and one 404, counted once', async () => {
    const { ada } = workspace;
    for (let round = 0; round < ROUNDS; round++) {
      const comment = await givenComment(workspace.grace, thread);
      await givenReaction(ada, comment);
      const params = { comment_id: comment.id, id: (await givenReaction(ada, comment)).id };
      const call = () => statusOf(ada.api.removeReaction({ params }));
      expect((await Promise.all([call(), call()])).sort()).toEqual([204, 404]);
      const pointer = await workspace.table.get<CommentPointer>(keys.commentPointer(comment.id));
      expect(pointer?.reaction_count).toBe(1);
    }
  });

  /** Runs work between the reads for the next transaction and the transaction. */
  const beforeTransaction = (happen: () => Promise<unknown>) => {
    const { table } = workspace;
    const transact = table.transact.bind(table);
    vi.spyOn(table, 'transact').mockImplementationOnce(async (writes) => {
      await happen();
      await transact(writes);
    });
  };

  it('a reaction that comes between reading and deleting goes with its comment', async () => {
    const { ada } = workspace;
    const comment = await givenComment(workspace.grace, thread);
    const first = await givenReaction(ada, comment);
    beforeTransaction(async () => {
      // As many as before, and another one.
      await ada.api.removeReaction({ params: { comment_id: comment.id, id: first.id } });
      await givenReaction(ada, comment);
    });
    expect((await remove(comment.id)).status).toBe(204);
    expect(await remains(workspace, thread, comment)).toEqual([]);
  });

  it('a reaction to a comment that is deleted between reading and writing is refused', async () => {
    const comment = await givenComment(workspace.grace, thread);
    beforeTransaction(() => remove(comment.id));
    expect(await statusOf(givenReaction(workspace.ada, comment).then(() => ({ status: 201 })))).toBe(404);
    expect(await remains(workspace, thread, comment)).toEqual([]);
  });

  it('an edit of a comment that is deleted between reading and writing is refused, and tells nobody', async () => {
    const { grace, linus } = workspace;
    const own = await givenThread(workspace, { users: [grace, linus] });
    const comment = await givenComment(grace, own);
    beforeTransaction(() => remove(comment.id));
    const edit = { html_content: 'Late', json_content: mentioning(linus.user.id) };
    const call = grace.api.updateComment({ params: { id: comment.id }, body: { comment: edit } });
    expect(await statusOf(call)).toBe(404);
    expect(await eventsOf(linus, own)).toEqual([]);
    expect(await commentsOf(grace, own)).toEqual([]);
  });

  it('a long edit between reading and deleting goes whole', async () => {
    const comment = await givenComment(workspace.grace, thread);
    beforeTransaction(() =>
      workspace.grace.api.updateComment({
        params: { id: comment.id },
        body: { comment: long },
      }),
    );
    expect((await remove(comment.id)).status).toBe(204);
    expect(await remains(workspace, thread, comment)).toEqual([]);
  });
});
