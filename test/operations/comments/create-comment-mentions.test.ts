import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import { documentOf, mention, mentioning } from '../../support/documents.ts';
import { type GivenThread, givenThread } from '../../support/threads.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

/** Mentions in a document (docs/specification/comments.md, "Mentions"). */
describe('POST /{record_type}/{record_id}/comments: mentions', () => {
  let workspace: Workspace;
  let thread: GivenThread;
  beforeAll(async () => {
    workspace = await startWorkspace();
    thread = await givenThread(workspace, { users: [workspace.ada, workspace.grace] });
  });
  afterAll(() => workspace.stop());

  const create = (comment: object) =>
    workspace.grace.api.createComment({
      params: { record_type: 'threads', record_id: thread.id },
      body: { comment: { html_content: '<p>Hello</p>', ...comment } },
    });
  const comments = async () => {
    const params = { record_type: 'threads' as const, record_id: thread.id };
    return (await workspace.grace.reader.listComments({ params })).body.comments;
  };
  const mentionedIn = async (json_content: string) =>
    (await create({ json_content })).body.comment.mentions.map((each) => each.user_id);

  const deepArrays = (levels: number) =>
    `{"type":"doc","content":${'['.repeat(levels)}${'%'}${']'.repeat(levels)}}`;

  it('201: a document of 99,900 levels, with a mention at the bottom', async () => {
    const node = JSON.stringify(mention(workspace.ada.user.id));
    const document = deepArrays(99_900).replace('%', node);
    expect(document.length).toBeLessThan(200_000);
    expect(await mentionedIn(document)).toEqual([workspace.ada.user.id]);
  });

  it('201: mentions are read at any depth of nodes, in the order of the document, each once', async () => {
    const { ada, grace, linus } = workspace;
    const nested = { type: 'bulletList', content: [{ type: 'listItem', content: [mention(linus.user.id)] }] };
    const document = documentOf(
      mention(grace.user.id),
      nested,
      mention(ada.user.id.toUpperCase()),
      mention(linus.user.id),
    );
    expect(await mentionedIn(document)).toEqual([grace.user.id, linus.user.id, ada.user.id]);
  });

  it('201: every mention has an id of its own that stays', async () => {
    const json_content = mentioning(workspace.ada.user.id, workspace.linus.user.id);
    const { body } = await create({ html_content: '<p>Hello</p>', json_content });
    const [first, second] = body.comment.mentions;
    expect(first?.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(first?.id).not.toBe(second?.id);
    expect((await comments()).at(-1)?.mentions).toEqual(body.comment.mentions);
  });

  it('201: only active users of the account are mentioned', async () => {
    const { ada, hank } = workspace;
    const gone = keys.user(workspace.account_id, workspace.linus.user.id);
    const set = (status: User['status']) => workspace.table.update<User>(gone, { set: { status } });
    await set('deactivated');
    const ids = [hank.user.id, randomUUID(), workspace.linus.user.id, 'assistant', 'nobody', '', ada.user.id];
    expect(await mentionedIn(mentioning(...ids))).toEqual([ada.user.id]);
    await set('active');
  });

  it.each([
    ['attrs missing', { type: 'mention' }],
    ['attrs null', { type: 'mention', attrs: null }],
    ['an id that is a number', { type: 'mention', attrs: { id: 7 } }],
    ['content that is a string', { type: 'paragraph', content: 'mention' }],
    ['null', null],
  ])('201: malformed nodes mention nobody: %s', async (_, node) => {
    expect(await mentionedIn(JSON.stringify({ type: 'doc', content: [node] }))).toEqual([]);
  });

  it('201: mentions are read from json_content only', async () => {
    const html_content = `<p><span data-type="mention" data-id="${workspace.ada.user.id}">@Ada</span></p>`;
    expect((await create({ html_content })).body.comment.mentions).toEqual([]);
  });
});
