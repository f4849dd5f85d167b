import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Comment } from '#shared/domain/collaboration/comments/comment.ts';
import { commentItems } from '#shared/domain/collaboration/comments/content.ts';
import type { Commenter } from '#shared/domain/collaboration/comments/weight.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { commentsOf, givenComment, givenReaction, listed } from '../../support/comments.ts';
import { documentOf, mention } from '../../support/documents.ts';
import { type GivenThread, givenThread } from '../../support/threads.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

/** The limit of comments of a user on one record, and the response when every user reaches it. */

let workspace: Workspace;
let thread: GivenThread;
beforeAll(async () => {
  workspace = await startWorkspace();
  thread = await givenThread(workspace, { users: [workspace.ada, workspace.grace] });
});
afterAll(() => workspace?.stop());

/** 600 kB as JSON. */
const LONG = `<p>${'語'.repeat(199_900)}</p>`;
const QUESTION = documentOf(mention('assistant'), { type: 'text', text: ' When?' });
const refused = { status: 400, code: 'invalid_request', fields: { html_content: { code: 'too_long' } } };

describe('the comments of a user on one record', () => {
  let written: { id: string }[];

  it('201: up to 4 MB in all, and no more', async () => {
    written = [];
    for (let i = 0; i < 6; i++)
      written.push(await givenComment(workspace.ada, thread, { html_content: LONG }));
    await expect(givenComment(workspace.ada, thread, { html_content: LONG })).rejects.toMatchObject(refused);
    expect((await commentsOf(workspace.grace, thread)).length).toBe(6);
  });

  it('limits neither other users nor other records', async () => {
    await givenComment(workspace.grace, thread, { html_content: LONG });
    const other = await givenThread(workspace, { users: [workspace.ada] });
    await givenComment(workspace.ada, other, { html_content: LONG });
  });

  it('counts the JSON document as well', async () => {
    const text = '語'.repeat(199_900);
    const json_content = JSON.stringify({ type: 'doc', content: [{ type: 'text', text }] });
    await expect(givenComment(workspace.ada, thread, { json_content })).rejects.toMatchObject(refused);
  });

  it('counts edits: longer ones need room, shorter ones do not', async () => {
    const { ada } = workspace;
    const short = await givenComment(ada, thread);
    const edit = (id: string, html_content: string) =>
      ada.api.updateComment({ params: { id }, body: { comment: { html_content } } });
    await expect(edit(short.id, LONG)).rejects.toMatchObject(refused);
    expect((await listed(ada, thread, short.id))?.html_content).toBe('<p>Hello</p>');
    const [first] = written as [{ id: string }];
    await edit(first.id, '<p>Shorter</p>');
    expect((await edit(short.id, LONG)).status).toBe(200);
    await expect(edit(first.id, LONG)).rejects.toMatchObject(refused);
  });

  it('deleting makes room', async () => {
    const { ada } = workspace;
    await ada.api.deleteComment({ params: { id: written[1]?.id as string } });
    await givenComment(ada, thread, { html_content: LONG });
    await expect(givenComment(ada, thread, { html_content: LONG })).rejects.toMatchObject(refused);
  });

  it('counts requested replies of the assistant, until they are deleted', async () => {
    const { grace, table } = { ...workspace };
    const own = async () => {
      const { PK, SK } = keys.commenter('threads', thread.id, grace.user.id, '');
      return (await table.all<Commenter>(PK, SK)).map(({ reply, bytes }) => (reply ? bytes : 'comment'));
    };
    const question = await givenComment(grace, thread, { json_content: QUESTION });
    expect(await own()).toEqual(['comment', 'comment', 20_000]);
    const reply = (await commentsOf(grace, thread)).find((each) => each.parent_comment_id === question.id);
    await grace.api.deleteComment({ params: { id: question.id } });
    expect(await own()).toEqual(['comment', 20_000]);
    await grace.api.deleteComment({ params: { id: reply?.id as string } });
    expect(await own()).toEqual(['comment']);
  });

  it('a user who only asked and deleted the question is not notified as a commenter', async () => {
    const other = await givenThread(workspace, { users: [workspace.ada, workspace.grace] });
    const { grace, ada } = workspace;
    const question = await givenComment(grace, other, { json_content: QUESTION });
    await grace.api.deleteComment({ params: { id: question.id } });
    await givenComment(ada, other);
    const told = (await grace.reader.listNotifications()).body.collection.records;
    expect(told.filter(({ payload }) => payload?.id === other.id)).toEqual([]);
  });
});

describe('reactions of one user to one comment', () => {
  it('201: up to 20, and no more until one is removed', async () => {
    const { ada, grace } = workspace;
    const comment = await givenComment(grace, thread);
    const reactions = [];
    for (let i = 0; i < 20; i++) reactions.push(await givenReaction(ada, comment));
    const full = { status: 400, code: 'invalid_request', fields: { text: { code: 'invalid' } } };
    await expect(givenReaction(ada, comment)).rejects.toMatchObject(full);
    await givenReaction(grace, comment);
    const gone = { comment_id: comment.id, id: reactions[0]?.id as string };
    await ada.api.removeReaction({ params: gone });
    await givenReaction(ada, comment);
    await expect(givenReaction(ada, comment)).rejects.toMatchObject(full);
    expect((await listed(ada, thread, comment.id))?.reactions).toHaveLength(21);
  });

  it('201: up to 20 of concurrent ones', async () => {
    const { ada, grace } = workspace;
    const comment = await givenComment(grace, thread);
    const responses = await Promise.allSettled(Array.from({ length: 30 }, () => givenReaction(ada, comment)));
    const made = responses.filter(({ status }) => status === 'fulfilled').length;
    expect((await listed(ada, thread, comment.id))?.reactions).toHaveLength(made);
    expect(made).toBeLessThanOrEqual(20);
  });
});

/** Written straight into the table, as if more users had reached their limits. */
async function givenLongComments(author: TestUser, on: GivenThread, count: number): Promise<string[]> {
  const comments = Array.from({ length: count }, (_, i): Comment => {
    const now = new Date(Date.now() + i);
    return {
      id: newId(now),
      account_id: workspace.account_id,
      record_type: 'threads',
      record_id: on.id,
      user_id: author.user.id,
      parent_comment_id: null,
      html_content: LONG,
      json_content: JSON.stringify({ type: 'doc', content: [{ type: 'text', text: '語'.repeat(199_000) }] }),
      mentioned_user_ids: [],
      created_at: now.toISOString(),
      updated_at: null,
      version: 1,
    };
  });
  await workspace.table.writeMany(comments.flatMap(commentItems).map((put) => ({ put })));
  return comments.map(({ id }) => id);
}

it('returns the newest comments of a record with more than a response can hold', async () => {
  const large = await givenThread(workspace, { users: [workspace.ada] });
  const ids = await givenLongComments(workspace.ada, large, 40);
  const response = await fetch(`${workspace.url}/threads/${large.id}/comments`, {
    headers: { Authorization: `Bearer ${workspace.ada.read_key}` },
  });
  const text = await response.text();
  const given = JSON.parse(text).comments.map(({ id }: { id: string }) => id);
  expect(given.length).toBeGreaterThan(30);
  expect(given).toEqual(ids.slice(-given.length));
  // With up to 5 MB of plain text.
  expect(Buffer.byteLength(text)).toBeLessThan(46 * 1024 * 1024);
  expect(Buffer.byteLength(text)).toBeGreaterThan(38 * 1024 * 1024);

  // Writing still works, and the new comment is returned.
  const { id } = await givenComment(workspace.ada, large);
  expect((await commentsOf(workspace.ada, large)).at(-1)?.id).toBe(id);
});
