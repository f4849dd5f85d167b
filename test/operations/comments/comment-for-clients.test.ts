import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoredComment } from '#shared/domain/collaboration/comments/comment.ts';
import { keys } from '#shared/table/keys.ts';
import { commentsOf, eventsOf, givenComment, listed } from '../../support/comments.ts';
import { documentOf, mention, mentioning } from '../../support/documents.ts';
import { problemsOf } from '../../support/failures.ts';
import { longIt } from '../../support/long.ts';
import { type GivenThread, givenThread } from '../../support/threads.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

/** Comments for clients without a rich-text editor: plain text, mentions by id, the reply to a question. */

let workspace: Workspace;
let thread: GivenThread;
let ada: TestUser;
let grace: TestUser;
beforeAll(async () => {
  workspace = await startWorkspace();
  ({ ada, grace } = workspace);
  thread = await givenThread(workspace, { users: [ada, grace] });
});
afterAll(() => workspace?.stop());

const create = async (comment: object) =>
  (
    await ada.api.createComment({
      params: { record_type: 'threads', record_id: thread.id },
      body: { comment: { html_content: '<p>Hello</p>', ...comment } },
    })
  ).body;
const edit = async (id: string, comment: object) =>
  (
    await ada.api.updateComment({
      params: { id },
      body: { comment: { html_content: '<p>Now</p>', ...comment } },
    })
  ).body;
const eventsAbout = (user: TestUser) => eventsOf(user, thread);
const mentioned = ({ mentions }: { mentions: { user_id: string | null }[] }) =>
  mentions.map(({ user_id }) => user_id);

describe('plain_text', () => {
  longIt.each([
    ['<p>Can you call them, <strong>Grace</strong>?</p>', 'Can you call them, Grace?'],
    ['<p>One</p><p>Two &amp; three</p>', 'One\n\nTwo & three'],
    ['<ul><li>First</li><li>Second</li></ul>', '- First\n- Second'],
    ['<a href="https://acme.example/">the page</a><script>alert(1)</script>', 'the page'],
    ['just &lt;b&gt; text', 'just <b> text'],
  ])('of %j is %j', async (html_content, plain_text) => {
    const { comment } = await create({ html_content });
    expect(comment).toMatchObject({ plain_text, text: null });
    expect(await listed(grace, thread, comment.id)).toMatchObject({ plain_text, text: null });
    const edited = await edit(comment.id, { html_content: '<p>Changed</p>' });
    expect(edited.comment).toMatchObject({ plain_text: 'Changed', text: null });
  });

  it('of a reply is its text as the reader sees it, and null while it is pending', async () => {
    const { reply } = await create({ json_content: asking('What did we promise?') });
    expect(reply).toMatchObject({ status: 'pending', text: null, plain_text: null });
    const key = keys.comment('threads', thread.id, reply?.id ?? '');
    await workspace.table.update<StoredComment>(key, {
      set: { reply: { status: 'complete', text: 'A berth.', blocks: [], refs: [] } },
    });
    const shown = await listed(grace, thread, reply?.id ?? '');
    expect(shown).toMatchObject({ text: 'A berth.', plain_text: 'A berth.' });
  });

  longIt('of a list is that of the newest comments, 5 MB at most', async () => {
    const long = await givenThread(workspace, { users: [ada, grace] });
    const html_content = `<p>${'a'.repeat(199_990)}</p>`;
    for (const author of [ada, grace])
      for (let i = 0; i < 14; i++) await givenComment(author, long, { html_content });
    const comments = await commentsOf(grace, long);
    expect(comments).toHaveLength(28);
    const firstFull = comments.findIndex(({ plain_text }) => plain_text !== null);
    expect(firstFull).toBe(28 - Math.floor((5 * 1024 * 1024) / 199_992));
    for (const [i, { plain_text, html_content: html }] of comments.entries()) {
      expect(html).toHaveLength(html_content.length);
      expect(plain_text?.length).toBe(i < firstFull ? undefined : 199_990);
    }
  });
});

/** A document that asks the assistant. */
function asking(text: string): string {
  return documentOf(mention('assistant'), { type: 'text', text: ` ${text}` });
}

describe('mentioned_user_ids', () => {
  it('mentions without a document, and tells those who see the record', async () => {
    const { linus, hank } = workspace;
    const ids = [grace.user.id.toUpperCase(), linus.user.id, hank.user.id, randomUUID(), grace.user.id];
    const before = (await eventsAbout(grace)).length;
    const { comment } = await create({ mentioned_user_ids: ids });
    expect(mentioned(comment)).toEqual([grace.user.id, linus.user.id]);
    expect(comment.json_content).toBeNull();
    expect(await eventsAbout(grace)).toHaveLength(before + 1);
    expect((await eventsAbout(grace))[0]).toBe('comment_mentioned');
    expect(await eventsAbout(linus)).toEqual([]);
    expect(await eventsAbout(hank)).toEqual([]);
  });

  it('adds to the mentions of the document, after them and each once', async () => {
    const { linus } = workspace;
    const draft = {
      json_content: mentioning(linus.user.id),
      mentioned_user_ids: [grace.user.id, linus.user.id],
    };
    expect(mentioned((await create(draft)).comment)).toEqual([linus.user.id, grace.user.id]);
  });

  it('replaces what was sent before, and never the mentions of a document that stays', async () => {
    const { linus } = workspace;
    const { comment } = await create({
      json_content: mentioning(linus.user.id),
      mentioned_user_ids: [grace.user.id],
    });
    const edited = async (change: object) => mentioned((await edit(comment.id, change)).comment);
    expect(await edited({})).toEqual([linus.user.id, grace.user.id]);
    expect(await edited({ mentioned_user_ids: [ada.user.id] })).toEqual([linus.user.id, ada.user.id]);
    expect(await edited({ mentioned_user_ids: [] })).toEqual([linus.user.id]);
    expect(await edited({ json_content: null, mentioned_user_ids: [grace.user.id] })).toEqual([
      grace.user.id,
    ]);
    expect(await edited({ json_content: mentioning(linus.user.id) })).toEqual([linus.user.id]);
    expect(await edited({ json_content: null })).toEqual([]);
  });

  it('tells only those who were not mentioned before', async () => {
    const { comment } = await create({ mentioned_user_ids: [grace.user.id] });
    const before = (await eventsAbout(grace)).length;
    await edit(comment.id, { mentioned_user_ids: [grace.user.id, ada.user.id] });
    expect(await eventsAbout(grace)).toHaveLength(before);
  });

  it('leaves `mentions` of a response that is sent back without effect', async () => {
    const { comment } = await create({ mentioned_user_ids: [grace.user.id] });
    const edited = await edit(comment.id, { json_content: null, mentions: comment.mentions });
    expect(mentioned(edited.comment)).toEqual([]);
  });

  it.each([
    [['nobody'], { 'mentioned_user_ids.0': 'invalid_format' }],
    ['nobody', { mentioned_user_ids: 'invalid' }],
    [Array.from({ length: 101 }, () => randomUUID()), { mentioned_user_ids: 'too_long' }],
  ])('refuses %#', async (mentioned_user_ids, codes) => {
    const comment = { html_content: '<p>Hello</p>', mentioned_user_ids } as never;
    const params = { record_type: 'threads' as const, record_id: thread.id };
    expect(await problemsOf(ada.api.createComment({ params, body: { comment } }))).toEqual(codes);
  });
});

describe('the reply to a question', () => {
  it('is in the response, as it is listed below the comment', async () => {
    const { comment, reply } = await create({ json_content: asking('Who is this?') });
    expect(reply).toMatchObject({ agent: 'assistant', status: 'pending', parent_comment_id: comment.id });
    expect(await listed(grace, thread, reply?.id ?? '')).toEqual(reply);
  });

  it('is null without a question, and for an edit that asks nothing new', async () => {
    expect((await create({})).reply).toBeNull();
    const { comment } = await create({ json_content: asking('Who is this?') });
    expect((await edit(comment.id, { json_content: asking('Who is that?') })).reply).toBeNull();
  });

  it('is in the response to an edit that asks again', async () => {
    const { comment } = await create({});
    const { reply } = await edit(comment.id, { json_content: asking('And now?') });
    expect(reply).toMatchObject({ status: 'pending', parent_comment_id: comment.id });
  });
});
