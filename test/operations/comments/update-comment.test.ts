import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  commentsOf,
  givenComment,
  givenReaction,
  givenReply,
  listed,
  remains,
} from '../../support/comments.ts';
import { documentOf, mentioning } from '../../support/documents.ts';
import { mergeWhole, unmergeWhole } from '../../support/duplicates.ts';
import { codeOf, failureOf, problemsOf } from '../../support/failures.ts';
import { longIt } from '../../support/long.ts';
import { givenContact } from '../../support/proposals.ts';
import { comment, comments } from '../../support/removed-records.ts';
import { type GivenThread, givenThread, hideThread } from '../../support/threads.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('PATCH /comments/{id}', () => {
  let workspace: Workspace;
  let thread: GivenThread;
  beforeAll(async () => {
    workspace = await startWorkspace();
    thread = await givenThread(workspace, { users: [workspace.ada, workspace.grace] });
  });
  afterAll(() => workspace.stop());
  afterEach(() => {
    workspace.setTime(undefined);
    vi.restoreAllMocks();
  });

  const update = (id: string, comment: unknown, user: TestUser = workspace.grace) =>
    user.api.updateComment({ params: { id }, body: { comment } as never });

  /** The parent that the newest notification of Ada has, which is about the comment. */
  const toldParent = async ({ id }: { id: string }) => {
    const { records } = (await workspace.ada.reader.listNotifications()).body.collection;
    expect(records[0]).toMatchObject({ event: 'comment_mentioned', payload: { comment: { id } } });
    const payload = records[0]?.payload as { comment: { parent_comment_id: string | null } } | undefined;
    return payload?.comment.parent_comment_id;
  };

  it('200: replaces the content and sets updated_at; all else stays', async () => {
    const before = await givenComment(workspace.grace, thread);
    workspace.setTime(new Date('2060-01-01T10:00:00.000Z'));
    const json_content = documentOf({ type: 'text', text: 'Changed' });
    const { status, body } = await update(before.id, { html_content: '<p>Changed</p>', json_content });
    expect(status).toBe(200);
    expect(body.comment).toEqual({
      ...before,
      html_content: '<p>Changed</p>',
      plain_text: 'Changed',
      json_content,
      updated_at: '2060-01-01T10:00:00.000Z',
    });
    expect(await listed(workspace.ada, thread, before.id)).toEqual(body.comment);
  });

  it('200: without json_content the previous one stays, with its mentions', async () => {
    const json_content = mentioning(workspace.ada.user.id);
    const before = await givenComment(workspace.grace, thread, { json_content });
    const { body } = await update(before.id, { html_content: 'Shorter' });
    expect(body.comment).toMatchObject({ html_content: 'Shorter', json_content });
    expect(body.comment.mentions).toEqual(before.mentions);
    expect(before.mentions).toHaveLength(1);
    expect(await listed(workspace.ada, thread, before.id)).toEqual(body.comment);
  });

  it('200: json_content null takes it away, with its mentions', async () => {
    const json_content = mentioning(workspace.ada.user.id);
    const before = await givenComment(workspace.grace, thread, { json_content });
    const { body } = await update(before.id, { html_content: 'Plain', json_content: null });
    expect(body.comment).toMatchObject({ json_content: null, mentions: [] });
    expect(await listed(workspace.ada, thread, before.id)).toEqual(body.comment);
  });

  it('200: html is sanitized as when it was created', async () => {
    const before = await givenComment(workspace.grace, thread);
    const { body } = await update(before.id, {
      html_content: '<p onclick="x()">Hi<script>alert(1)</script></p><a href="javascript:alert(1)">b</a>',
    });
    expect(body.comment.html_content).toBe('<p>Hi</p><a>b</a>');
  });

  it('200: parent and reactions stay', async () => {
    const parent = await givenComment(workspace.ada, thread);
    const reply = await givenComment(workspace.grace, thread, { parent_comment_id: parent.id });
    const reaction = await givenReaction(workspace.ada, reply);
    const { body } = await update(reply.id, { html_content: 'Changed', parent_comment_id: randomUUID() });
    expect(body.comment.parent_comment_id).toBe(parent.id);
    expect(body.comment.reactions).toEqual([{ id: reaction.id, text: '👍', user_id: workspace.ada.user.id }]);
    expect(await listed(workspace.ada, thread, reply.id)).toEqual(body.comment);
  });

  it('200: a reply whose parent was deleted is top-level', async () => {
    const parent = await givenComment(workspace.ada, thread);
    const reply = await givenComment(workspace.grace, thread, { parent_comment_id: parent.id });
    await workspace.ada.api.deleteComment({ params: { id: parent.id } });
    const { body } = await update(reply.id, { html_content: 'Alone' });
    expect(body.comment.parent_comment_id).toBeNull();
    await update(reply.id, { html_content: 'Ada', json_content: mentioning(workspace.ada.user.id) });
    expect(await toldParent(reply)).toBeNull();
  });

  longIt('200: a reply whose parent is on another record again, as in the list', async () => {
    const { ada, grace } = workspace;
    const [into, from] = [await givenContact(ada), await givenContact(ada)];
    const parent = await comment(ada, from.id);
    await mergeWhole(workspace, ada, into.id, from.id);
    const reply = await comment(grace, into.id, { parent_comment_id: parent.id });
    const parentOf = async () =>
      (await update(reply.id, { html_content: 'Edited' })).body.comment.parent_comment_id;
    expect(await parentOf()).toBe(parent.id);
    await unmergeWhole(workspace, ada, into.id, from.id);
    expect(await parentOf()).toBeNull();
    await update(reply.id, { html_content: 'Ada', json_content: mentioning(ada.user.id) });
    expect(await toldParent(reply)).toBeNull();
    expect(await comments(ada, into.id)).toMatchObject([{ id: reply.id, parent_comment_id: null }]);
  });

  longIt('200: short, long and short again, however it is stored', async () => {
    const before = await givenComment(workspace.grace, thread);
    const noise = (count: number) =>
      Array.from({ length: count }, (_, i) =>
        String.fromCodePoint(0x20000 + (Math.imul(i, 2_654_435_761) >>> 17)),
      ).join('');
    const sizes = [];
    for (const length of [100_000, 200_000, 60_000, 10, 200_000]) {
      const html_content = noise(length);
      const { body } = await update(before.id, { html_content });
      expect(body.comment.html_content === html_content).toBe(true);
      expect((await listed(workspace.ada, thread, before.id))?.html_content === html_content).toBe(true);
      sizes.push((await remains(workspace, thread, before)).filter((SK) => SK.includes('#PART#')).length);
    }
    // Parts that are not needed any more are gone.
    expect(sizes[0]).toBeLessThan(sizes[1] as number);
    expect(sizes.slice(2)).toEqual([expect.any(Number), 0, sizes[1]]);
    await workspace.grace.api.deleteComment({ params: { id: before.id } });
    expect(await remains(workspace, thread, before)).toEqual([]);
  });

  it('a list that is read during the change of a long comment shows it as before or as after', async () => {
    const { table, grace } = workspace;
    const own = await givenThread(workspace, { users: [grace] });
    const long = (letter: string) => ({
      html_content: letter.repeat(199_000),
      json_content: documentOf({ type: 'text', text: letter.repeat(190_000) }),
    });
    const before = await givenComment(grace, own, long('a'));
    expect((await remains(workspace, own, before)).some((SK) => SK.includes('#PART#'))).toBe(true);
    const query = table.query.bind(table);
    let after: unknown;
    vi.spyOn(table, 'query').mockImplementationOnce(async (input) => {
      // The comment's own item is read, then the comment changes, then its parts are read.
      const first = await query({ ...input, limit: 1 });
      after = (await update(before.id, long('b'))).body.comment;
      return first as never;
    });
    expect(await listed(grace, own, before.id)).toEqual(after);
    expect(after).toMatchObject({ updated_at: expect.any(String) });
  });

  it('404: the same for somebody else’s comment, unknown and malformed ids, and another account’s', async () => {
    const { ada, grace, hank } = workspace;
    const foreign = await givenThread(workspace, { users: [hank] });
    const ids = [
      (await givenComment(ada, thread)).id,
      (await givenComment(hank, foreign)).id,
      randomUUID(),
      thread.id,
      'nonsense',
    ];
    const responses = [];
    for (const id of ids)
      responses.push((await failureOf(update(id, { html_content: 'Mine' }, grace))).message);
    expect(responses[0]).toMatch(/^404 record_not_found/);
    expect(new Set(responses).size).toBe(1);
    expect(await listed(ada, thread, ids[0] as string)).toMatchObject({ html_content: '<p>Hello</p>' });
  });

  it('404: the user’s own comment on a record that the user does not see any more', async () => {
    const { ada, linus } = workspace;
    const shared = await givenThread(workspace, { users: [ada, linus] });
    const comment = await givenComment(linus, shared);
    await hideThread(workspace, shared, linus);
    expect(await codeOf(update(comment.id, { html_content: 'Still me' }, linus))).toBe(
      '404 record_not_found',
    );
    expect(await listed(ada, shared, comment.id)).toEqual(comment);
  });

  it('404: an assistant reply, even for the user who asked', async () => {
    const { ada, grace } = workspace;
    const reply = await givenReply(workspace, grace, thread);
    for (const user of [grace, ada])
      expect(await codeOf(update(reply.id, { html_content: 'Edited' }, user))).toBe('404 record_not_found');
    expect(await listed(grace, thread, reply.id)).toMatchObject({ text: 'On Thursday.', updated_at: null });
  });

  it('404: a comment that was deleted', async () => {
    const comment = await givenComment(workspace.grace, thread);
    await workspace.grace.api.deleteComment({ params: { id: comment.id } });
    expect(await codeOf(update(comment.id, { html_content: 'Back' }))).toBe('404 record_not_found');
    expect(await remains(workspace, thread, comment)).toEqual([]);
  });

  it('200: on a contact', async () => {
    const { grace } = workspace;
    const { contact } = (await grace.api.createContact({ body: { contact: { name: 'Ada Byron' } } })).body;
    const params = { record_type: 'contacts' as const, record_id: contact.id };
    const created = await grace.api.createComment({ params, body: { comment: { html_content: 'a' } } });
    const { body } = await update(created.body.comment.id, { html_content: 'b' });
    expect(body.comment).toMatchObject({ contact_id: contact.id, html_content: 'b' });
    const retrieved = await grace.reader.retrieveContact({ params: { id: contact.id } });
    expect(retrieved.body.contact.comments).toEqual([body.comment]);
  });

  it.each([
    ['nothing', {}, { html_content: 'required' }],
    ['null', { html_content: null }, { html_content: 'required' }],
    ['empty', { html_content: '' }, { html_content: 'required' }],
    ['blank html', { html_content: ' \n\t ' }, { html_content: 'required' }],
    ['only scripts', { html_content: '<script>1</script>'.repeat(5_000) }, { html_content: 'required' }],
    ['a lone surrogate', { html_content: 'a\ud800' }, { html_content: 'invalid_format' }],
    ['900,000 nested tags', { html_content: '<b>'.repeat(900_000) }, { html_content: 'too_long' }],
    ['json_content alone', { json_content: '{"type":"doc"}' }, { html_content: 'required' }],
    ['no JSON', { html_content: 'a', json_content: 'hello' }, { json_content: 'invalid_format' }],
    [
      'no document',
      { html_content: 'a', json_content: '{"type":"text"}' },
      { json_content: 'invalid_format' },
    ],
    [
      'a document of 200,001 characters',
      { html_content: 'a', json_content: `{"type":"doc"${' '.repeat(200_001 - 14)}}` },
      { json_content: 'too_long' },
    ],
    [
      '10,000 mentions',
      { html_content: 'a', json_content: mentioning(...Array.from({ length: 10_000 }, () => randomUUID())) },
      { json_content: 'too_long' },
    ],
    [
      'wrong types',
      { html_content: ['a'], json_content: { type: 'doc' } },
      { html_content: 'invalid', json_content: 'invalid' },
    ],
  ])('400: %s', async (_, comment, problems) => {
    const before = await givenComment(workspace.grace, thread);
    expect(await problemsOf(update(before.id, comment))).toEqual(problems);
    expect(await listed(workspace.grace, thread, before.id)).toEqual(before);
  });

  it('400 not_allowed: a body key that names another comment', async () => {
    const { id } = await givenComment(workspace.grace, thread);
    const body = { id: randomUUID(), comment: { html_content: 'a' } } as never;
    expect(await problemsOf(workspace.grace.api.updateComment({ params: { id }, body }))).toEqual({
      id: 'not_allowed',
    });
  });

  it('200: 66,000 nested tags fit and are flattened, with their text', async () => {
    const before = await givenComment(workspace.grace, thread);
    const { body } = await update(before.id, { html_content: `${'<b>'.repeat(66_000)}deep` });
    expect(body.comment.html_content).toContain('deep');
    expect(body.comment.html_content?.match(/<b>/g)?.length).toBeLessThanOrEqual(200);
  });

  it('413: 5 MB of html', async () => {
    const { id } = await givenComment(workspace.grace, thread);
    expect(await codeOf(update(id, { html_content: 'x'.repeat(5 * 1024 * 1024) }))).toBe(
      '413 payload_too_large',
    );
  });

  it('403 api_key_insufficient: with a read key', async () => {
    const { id } = await givenComment(workspace.grace, thread);
    const call = workspace.grace.reader.updateComment({
      params: { id },
      body: { comment: { html_content: 'a' } },
    });
    expect(await codeOf(call)).toBe('403 api_key_insufficient');
  });

  it('the order of comments stays', async () => {
    const own = await givenThread(workspace, { users: [workspace.grace] });
    const written = [];
    for (let i = 0; i < 3; i++) written.push(await givenComment(workspace.grace, own));
    await update(written[0]?.id as string, { html_content: 'Last edited' });
    const ids = (await commentsOf(workspace.grace, own)).map(({ id }) => id);
    expect(ids).toEqual(written.map(({ id }) => id));
  });
});
