import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import { givenAccount } from '../../support/accounts.ts';
import { eventsOf, givenComment } from '../../support/comments.ts';
import { documentOf, mention, mentioning } from '../../support/documents.ts';
import { longIt } from '../../support/long.ts';
import { type GivenThread, givenThread, hideThread } from '../../support/threads.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

/** Mentions and notifications after an edit (docs/specification/comments.md, rule 3). */
describe('PATCH /comments/{id}: mentions', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  const edit = async (
    author: TestUser,
    id: string,
    json_content?: string,
    html_content = '<p>Edited</p>',
  ) => {
    const comment = { html_content, ...(json_content === undefined ? {} : { json_content }) };
    return (await author.api.updateComment({ params: { id }, body: { comment } })).body.comment;
  };
  const mentioned = (comment: { mentions: { user_id: string | null }[] }) =>
    comment.mentions.map((each) => each.user_id);
  const threadOf = (...users: TestUser[]): Promise<GivenThread> => givenThread(workspace, { users });

  it('newly mentioned users are notified, with the comment as edited', async () => {
    const { ada, grace } = workspace;
    const thread = await threadOf(ada, grace);
    const before = await givenComment(ada, thread);
    const after = await edit(ada, before.id, mentioning(grace.user.id), '<p>Look, <b>Grace</b></p>');
    expect(mentioned(after)).toEqual([grace.user.id]);
    const [notification] = (await grace.reader.listNotifications({ query: { limit: 1 } })).body.collection
      .records;
    expect(notification).toMatchObject({
      event: 'comment_mentioned',
      prompting_user_id: ada.user.id,
      created_at: after.updated_at,
      payload: {
        id: thread.id,
        record_type: 'thread',
        subject: 'Ferry times',
        comment: { id: before.id, snippet: 'Look, Grace', created_at: before.created_at },
      },
    });
  });

  it('users no longer mentioned are removed, and those who stay are not told again', async () => {
    const { ada, grace, linus } = workspace;
    const thread = await threadOf(ada, grace, linus);
    const before = await givenComment(ada, thread, {
      json_content: mentioning(grace.user.id, linus.user.id),
    });
    const after = await edit(ada, before.id, mentioning(linus.user.id));
    expect(mentioned(after)).toEqual([linus.user.id]);
    expect(after.mentions[0]?.id).toBe(before.mentions[1]?.id);
    for (const user of [grace, linus]) expect(await eventsOf(user, thread)).toEqual(['comment_mentioned']);
  });

  it('a user who was removed and is mentioned again is notified again', async () => {
    const { ada, grace } = workspace;
    const thread = await threadOf(ada, grace);
    const { id } = await givenComment(ada, thread, { json_content: mentioning(grace.user.id) });
    await edit(ada, id, documentOf());
    await edit(ada, id, mentioning(grace.user.id));
    expect(await eventsOf(grace, thread)).toEqual(['comment_mentioned', 'comment_mentioned']);
  });

  it('without json_content nobody is told, whatever the html says', async () => {
    const { ada, grace } = workspace;
    const thread = await threadOf(ada, grace);
    const { id } = await givenComment(ada, thread);
    const html = `<p><span data-type="mention" data-id="${grace.user.id}">@Grace</span></p>`;
    expect(mentioned(await edit(ada, id, undefined, html))).toEqual([]);
    expect(await eventsOf(grace, thread)).toEqual([]);
  });

  it('an edit tells nobody else: neither the owner nor earlier commenters', async () => {
    const { ada, grace, linus } = workspace;
    const thread = await threadOf(ada, grace, linus);
    await givenComment(linus, thread);
    const { id } = await givenComment(grace, thread);
    const before = [await eventsOf(ada, thread), await eventsOf(linus, thread)];
    await edit(grace, id, documentOf());
    expect([await eventsOf(ada, thread), await eventsOf(linus, thread)]).toEqual(before);
  });

  it('the author and users who do not see the record are mentioned and not told', async () => {
    const { ada, grace, linus } = workspace;
    const thread = await threadOf(ada, grace);
    const revoked = await threadOf(ada, linus);
    await hideThread(workspace, revoked, linus);
    for (const each of [thread, revoked]) {
      const { id } = await givenComment(ada, each);
      const after = await edit(ada, id, mentioning(ada.user.id, linus.user.id));
      expect(mentioned(after)).toEqual([ada.user.id, linus.user.id]);
      for (const user of [ada, linus]) expect(await eventsOf(user, each)).toEqual([]);
    }
  });

  it('users of another account, deactivated ones and the assistant are not mentioned', async () => {
    const { ada, grace, hank } = workspace;
    const thread = await threadOf(ada, grace);
    const { id } = await givenComment(ada, thread);
    const set = (status: User['status']) =>
      workspace.table.update<User>(keys.user(workspace.account_id, grace.user.id), { set: { status } });
    await set('deactivated');
    const after = await edit(ada, id, documentOf(...[hank.user.id, grace.user.id, 'assistant'].map(mention)));
    await set('active');
    expect(mentioned(after)).toEqual([]);
    expect(await eventsOf(hank, thread)).toEqual([]);
    expect(await eventsOf(grace, thread)).toEqual([]);
  });

  longIt('the first 25 of the newly mentioned users who see the record are notified', async () => {
    const users = await givenAccount(workspace, 36);
    const [author, known, ...others] = users as [TestUser, TestUser, ...TestUser[]];
    const [blind, seeing] = [others.slice(0, 4), others.slice(4)];
    const thread = await givenThread(workspace, { users: [author, known, ...seeing] });
    const { id } = await givenComment(author, thread, { json_content: mentioning(known.user.id) });
    const order = [author, known, ...blind, ...seeing].map((each) => each.user.id);
    expect(mentioned(await edit(author, id, mentioning(...order)))).toEqual(order);
    const events = await Promise.all(seeing.map((user) => eventsOf(user, thread)));
    expect(events.slice(0, 25)).toEqual(Array.from({ length: 25 }, () => ['comment_mentioned']));
    expect(events.slice(25).flat()).toEqual([]);
    expect((await Promise.all(blind.map((user) => eventsOf(user, thread)))).flat()).toEqual([]);
    expect(await eventsOf(known, thread)).toEqual(['comment_mentioned']);
  });

  it('2,500 mentions fit into a document, and those of unknown users are dropped', async () => {
    const { ada, grace } = workspace;
    const thread = await threadOf(ada, grace);
    const { id } = await givenComment(ada, thread);
    const nobody = Array.from({ length: 2_500 }, () => crypto.randomUUID());
    const after = await edit(ada, id, mentioning(...nobody, grace.user.id));
    expect(mentioned(after)).toEqual([grace.user.id]);
    expect(await eventsOf(grace, thread)).toEqual(['comment_mentioned']);
  });
});
