import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenComment, givenReaction, listed, remains } from '../../support/comments.ts';
import { codeOf, failureOf } from '../../support/failures.ts';
import { longIt } from '../../support/long.ts';
import { type GivenThread, givenThread, hideThread } from '../../support/threads.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('DELETE /comments/{comment_id}/reactions/{id}', () => {
  let workspace: Workspace;
  let thread: GivenThread;
  beforeAll(async () => {
    workspace = await startWorkspace();
    thread = await givenThread(workspace, { users: [workspace.ada, workspace.grace] });
  });
  afterAll(() => workspace.stop());

  const remove = (comment_id: string, id: string, user: TestUser = workspace.grace) =>
    user.api.removeReaction({ params: { comment_id, id } });

  it('204: removes that one, and keeps others with the same text', async () => {
    const comment = await givenComment(workspace.ada, thread);
    const [first, second] = [
      await givenReaction(workspace.grace, comment),
      await givenReaction(workspace.grace, comment),
    ];
    const { status, body } = await remove(comment.id, first.id);
    expect([status, body]).toEqual([204, null]);
    expect((await listed(workspace.ada, thread, comment.id))?.reactions.map(({ id }) => id)).toEqual([
      second.id,
    ]);
  });

  it('404: the second time', async () => {
    const comment = await givenComment(workspace.ada, thread);
    const { id } = await givenReaction(workspace.grace, comment);
    await remove(comment.id, id);
    expect(await codeOf(remove(comment.id, id))).toBe('404 record_not_found');
  });

  it('a comment can be deleted after its reactions came and went', async () => {
    const comment = await givenComment(workspace.grace, thread);
    for (let i = 0; i < 3; i++) {
      const { id } = await givenReaction(workspace.grace, comment);
      if (i > 0) await remove(comment.id, id);
    }
    expect((await workspace.grace.api.deleteComment({ params: { id: comment.id } })).status).toBe(204);
    expect(await remains(workspace, thread, comment)).toEqual([]);
  });

  longIt(
    '404: the same for reactions of others, of another comment, unknown and malformed ids, and none is removed',
    async () => {
      const { ada, grace } = workspace;
      const [comment, other] = [await givenComment(grace, thread), await givenComment(ada, thread)];
      const theirs = await givenReaction(ada, comment);
      const elsewhere = await givenReaction(grace, other);
      const responses = [];
      for (const id of [theirs.id, elsewhere.id, comment.id, randomUUID(), 'nonsense'])
        responses.push((await failureOf(remove(comment.id, id))).message);
      expect(responses[0]).toMatch(/^404 record_not_found/);
      expect(new Set(responses).size).toBe(1);
      expect((await listed(ada, thread, comment.id))?.reactions).toMatchObject([{ id: theirs.id }]);
      expect((await listed(ada, thread, other.id))?.reactions).toMatchObject([{ id: elsewhere.id }]);
    },
  );

  it('404: the user’s own reaction to a comment that the user does not see any more', async () => {
    const { ada, linus } = workspace;
    const shared = await givenThread(workspace, { users: [ada, linus] });
    const comment = await givenComment(ada, shared);
    const { id } = await givenReaction(linus, comment);
    await hideThread(workspace, shared, linus);
    expect(await codeOf(remove(comment.id, id, linus))).toBe('404 record_not_found');
    expect((await listed(ada, shared, comment.id))?.reactions).toMatchObject([{ id }]);
  });

  it('403 api_key_insufficient: with a read key', async () => {
    const comment = await givenComment(workspace.ada, thread);
    const { id } = await givenReaction(workspace.grace, comment);
    const params = { comment_id: comment.id, id };
    expect(await codeOf(workspace.grace.reader.removeReaction({ params }))).toBe('403 api_key_insufficient');
  });
});
