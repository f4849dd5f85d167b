import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commentsOf, eventsOf, givenComment, givenReply, listed } from '../../support/comments.ts';
import { codeOf, failureOf, problemsOf } from '../../support/failures.ts';
import { longIt } from '../../support/long.ts';
import { type GivenThread, givenThread, hideThread } from '../../support/threads.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /comments/{comment_id}/reactions', () => {
  let workspace: Workspace;
  let thread: GivenThread;
  beforeAll(async () => {
    workspace = await startWorkspace();
    thread = await givenThread(workspace, { users: [workspace.ada, workspace.grace] });
  });
  afterAll(() => workspace.stop());

  const react = (comment_id: string, reaction: unknown, user: TestUser = workspace.grace) =>
    user.api.addReaction({ params: { comment_id }, body: { reaction } as never });

  it('201: by the key’s user, with created_at; the comment shows it without', async () => {
    const { ada, grace } = workspace;
    const comment = await givenComment(ada, thread);
    const { status, body } = await react(comment.id, { text: '🎉' });
    expect(status).toBe(201);
    expect(body.reaction).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      user_id: grace.user.id,
      text: '🎉',
      created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
    });
    const { created_at: _, ...shown } = body.reaction;
    expect(await listed(ada, thread, comment.id)).toEqual({ ...comment, reactions: [shown] });
  });

  it('201: always a new one, even with the same text; oldest first', async () => {
    const comment = await givenComment(workspace.ada, thread);
    const ids = [];
    for (const text of ['👍', '👍', 'ok', '👍']) {
      await new Promise((resolve) => setTimeout(resolve, 2));
      ids.push((await react(comment.id, { text })).body.reaction.id);
    }
    expect(new Set(ids).size).toBe(4);
    const shown = (await listed(workspace.ada, thread, comment.id))?.reactions;
    expect(shown?.map(({ id, text }) => [id, text])).toEqual(ids.map((id, i) => [id, i === 2 ? 'ok' : '👍']));
  });

  it('201: each comment has its own, in the thread as well', async () => {
    const { ada, grace } = workspace;
    const own = await givenThread(workspace, { users: [ada, grace] });
    const [first, second] = [await givenComment(ada, own), await givenComment(ada, own)];
    await react(first?.id as string, { text: '1' });
    await react(second?.id as string, { text: '2' });
    await react(first?.id as string, { text: '3' }, ada);
    const comments = await commentsOf(grace, own);
    expect(comments.map(({ reactions }) => reactions.map(({ text }) => text))).toEqual([['1', '3'], ['2']]);
    const { body } = await grace.reader.retrieveThread({ params: { id: own.id } });
    expect(body.thread.comments).toEqual(comments);
  });

  it('201: on a reply of the assistant', async () => {
    const reply = await givenReply(workspace, workspace.ada, thread);
    await react(reply.id, { text: '👍' });
    expect((await listed(workspace.ada, thread, reply.id))?.reactions).toMatchObject([{ text: '👍' }]);
  });

  it.each([
    ['an emoji of many code points', '👩🏽‍👩🏻‍👧🏿‍👦', '👩🏽‍👩🏻‍👧🏿‍👦'],
    ['a word', 'merci', 'merci'],
    ['one character', '.', '.'],
    ['white space around it', '  👍\n', '👍'],
    ['255 characters', '\u{1F600}'.repeat(255), '\u{1F600}'.repeat(255)],
    ['markup, which stays text', '<script>alert(1)</script>', '<script>alert(1)</script>'],
  ])('201: any non-empty text: %s', async (_, text, kept) => {
    const comment = await givenComment(workspace.ada, thread);
    expect((await react(comment.id, { text })).body.reaction.text).toBe(kept);
    expect((await listed(workspace.ada, thread, comment.id))?.reactions[0]?.text).toBe(kept);
  });

  it.each([
    ['missing', {}, 'required'],
    ['null', { text: null }, 'required'],
    ['empty', { text: '' }, 'required'],
    ['blank', { text: ' \t\n\u00a0\u3000' }, 'required'],
    ['a number', { text: 1 }, 'invalid'],
    ['a list', { text: ['👍'] }, 'invalid'],
    ['256 characters', { text: 'x'.repeat(256) }, 'too_long'],
    ['10,000 characters', { text: '👍'.repeat(10_000) }, 'too_long'],
    ['a lone surrogate', { text: '\ud83d' }, 'invalid_format'],
    ['surrogates the wrong way round', { text: '\udc4d\ud83d' }, 'invalid_format'],
    ['a NUL', { text: 'a\0b' }, 'invalid_format'],
  ])('400: text that is %s', async (_, reaction, code) => {
    const comment = await givenComment(workspace.ada, thread);
    expect(await problemsOf(react(comment.id, reaction))).toEqual({ text: code });
    expect(await listed(workspace.ada, thread, comment.id)).toEqual(comment);
  });

  it.each([[undefined], [null], ['👍'], [[]]])('400: %j instead of the wrapper', async (reaction) => {
    const { id } = await givenComment(workspace.ada, thread);
    expect(Object.keys(await problemsOf(react(id, reaction)))).toEqual(['reaction']);
  });

  longIt('404: the same for a hidden, foreign, unknown, malformed or deleted comment', async () => {
    const { ada, grace, hank, linus } = workspace;
    const hidden = await givenThread(workspace, { users: [ada] });
    const revoked = await givenThread(workspace, { users: [ada, grace] });
    const onRevoked = await givenComment(grace, revoked);
    await hideThread(workspace, revoked, grace);
    const deleted = await givenComment(grace, thread);
    await grace.api.deleteComment({ params: { id: deleted.id } });
    const foreign = await givenThread(workspace, { users: [hank] });
    const comments = [
      await givenComment(ada, hidden),
      await givenComment(hank, foreign),
      onRevoked,
      deleted,
      thread,
      { id: randomUUID() },
      { id: 'nonsense' },
    ];
    const responses = [];
    for (const { id } of comments) responses.push((await failureOf(react(id, { text: 'x' }))).message);
    expect(responses[0]).toMatch(/^404 record_not_found/);
    expect(new Set(responses).size).toBe(1);
    expect(await codeOf(react((await givenComment(ada, thread)).id, { text: 'x' }, linus))).toBe(
      '404 record_not_found',
    );
    expect((await commentsOf(ada, hidden))[0]?.reactions).toEqual([]);
  });

  it('nobody is notified', async () => {
    const { ada, grace } = workspace;
    const own = await givenThread(workspace, { users: [grace, ada] });
    const { id } = await givenComment(ada, own);
    const before = await eventsOf(grace, own);
    await react(id, { text: '👍' });
    expect(await eventsOf(ada, own)).toEqual([]);
    expect(await eventsOf(grace, own)).toEqual(before);
  });

  it('403 api_key_insufficient: with a read key', async () => {
    const params = { comment_id: (await givenComment(workspace.ada, thread)).id };
    const call = workspace.grace.reader.addReaction({ params, body: { reaction: { text: 'x' } } });
    expect(await codeOf(call)).toBe('403 api_key_insufficient');
  });
});
