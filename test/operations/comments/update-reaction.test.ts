import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenComment, givenReaction, listed } from '../../support/comments.ts';
import { codeOf, failureOf, problemsOf } from '../../support/failures.ts';
import { type GivenThread, givenThread, hideThread } from '../../support/threads.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('PATCH /comments/{comment_id}/reactions/{id}', () => {
  let workspace: Workspace;
  let thread: GivenThread;
  beforeAll(async () => {
    workspace = await startWorkspace();
    thread = await givenThread(workspace, { users: [workspace.ada, workspace.grace] });
  });
  afterAll(() => workspace.stop());

  const update = (comment_id: string, id: string, reaction: unknown, user: TestUser = workspace.grace) =>
    user.api.updateReaction({ params: { comment_id, id }, body: { reaction } as never });

  it('200: another text; all else stays', async () => {
    const comment = await givenComment(workspace.ada, thread);
    const other = await givenReaction(workspace.ada, comment, 'other');
    const before = await givenReaction(workspace.grace, comment);
    const { status, body } = await update(comment.id, before.id, { text: ' 🎉 ' });
    expect([status, body.reaction]).toEqual([200, { ...before, text: '🎉' }]);
    const shown = (await listed(workspace.ada, thread, comment.id))?.reactions;
    expect(shown?.map(({ id, text }) => [id, text]).sort()).toEqual(
      [
        [other.id, 'other'],
        [before.id, '🎉'],
      ].sort(),
    );
  });

  it('200: twice the same changes nothing', async () => {
    const comment = await givenComment(workspace.ada, thread);
    const { id } = await givenReaction(workspace.grace, comment);
    const first = await update(comment.id, id, { text: 'ok' });
    expect((await update(comment.id, id, { text: 'ok' })).body).toEqual(first.body);
  });

  it.each([
    ['missing', {}, 'required'],
    ['null', { text: null }, 'required'],
    ['empty', { text: '' }, 'required'],
    ['blank', { text: ' \t\n' }, 'required'],
    ['10,000 characters', { text: 'x'.repeat(10_000) }, 'too_long'],
    ['a lone surrogate', { text: '\ud83d' }, 'invalid_format'],
  ])('400: text that is %s', async (_, reaction, code) => {
    const comment = await givenComment(workspace.ada, thread);
    const { id } = await givenReaction(workspace.grace, comment);
    expect(await problemsOf(update(comment.id, id, reaction))).toEqual({ text: code });
    expect((await listed(workspace.ada, thread, comment.id))?.reactions).toMatchObject([{ id, text: '👍' }]);
  });

  it('404: the same for reactions of others, of another comment, unknown, malformed and removed ids', async () => {
    const { ada, grace } = workspace;
    const [comment, other] = [await givenComment(ada, thread), await givenComment(ada, thread)];
    const theirs = await givenReaction(ada, comment);
    const elsewhere = await givenReaction(grace, other);
    const removed = await givenReaction(grace, comment);
    await grace.api.removeReaction({ params: { comment_id: comment.id, id: removed.id } });
    const responses = [];
    for (const id of [theirs.id, elsewhere.id, removed.id, comment.id, randomUUID(), 'nonsense'])
      responses.push((await failureOf(update(comment.id, id, { text: 'x' }))).message);
    expect(responses[0]).toMatch(/^404 record_not_found/);
    expect(new Set(responses).size).toBe(1);
    expect((await listed(ada, thread, comment.id))?.reactions).toMatchObject([{ id: theirs.id, text: '👍' }]);
    expect((await listed(ada, thread, other.id))?.reactions).toMatchObject([{ text: '👍' }]);
  });

  it('404: the user’s own reaction to a comment that the user does not see any more', async () => {
    const { ada, linus } = workspace;
    const shared = await givenThread(workspace, { users: [ada, linus] });
    const comment = await givenComment(ada, shared);
    const { id } = await givenReaction(linus, comment);
    await hideThread(workspace, shared, linus);
    expect(await codeOf(update(comment.id, id, { text: 'x' }, linus))).toBe('404 record_not_found');
    expect((await listed(ada, shared, comment.id))?.reactions).toMatchObject([{ id, text: '👍' }]);
  });

  it('403 api_key_insufficient: with a read key', async () => {
    const comment = await givenComment(workspace.ada, thread);
    const { id } = await givenReaction(workspace.grace, comment);
    const params = { comment_id: comment.id, id };
    const call = workspace.grace.reader.updateReaction({ params, body: { reaction: { text: 'x' } } });
    expect(await codeOf(call)).toBe('403 api_key_insufficient');
  });
});
