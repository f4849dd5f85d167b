import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import { givenAccount } from '../../support/accounts.ts';
import { givenReply } from '../../support/comments.ts';
import { documentOf, mention, mentioning } from '../../support/documents.ts';
import { codeOf } from '../../support/failures.ts';
import { openJobs } from '../../support/jobs.ts';
import { longIt } from '../../support/long.ts';
import { givenCommenters, storedNotifications } from '../../support/notifications.ts';
import { type GivenThread, givenThread, hideThread } from '../../support/threads.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

/** Recipients of notifications about a comment (docs/specification/comments.md, "Who is told"). */
describe('POST /{record_type}/{record_id}/comments: notifications', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
  });
  afterAll(() => workspace.stop());

  const comment = async (author: TestUser, thread: GivenThread, draft: object = {}) => {
    const params = { record_type: 'threads' as const, record_id: thread.id };
    const body = { comment: { html_content: '<p>Hello</p>', ...draft } };
    return (await author.api.createComment({ params, body })).body.comment;
  };
  /** The events that a user was told about a thread, newest first. */
  const told = async (user: TestUser, thread: GivenThread) => {
    const { body } = await user.reader.listNotifications({ query: { limit: 100 } });
    return body.collection.records.filter((each) => each.payload?.id === thread.id);
  };
  const eventsOf = async (user: TestUser, thread: GivenThread) =>
    (await told(user, thread)).map((each) => each.event);

  it('a mentioned user is told, with the record, the comment and the author', async () => {
    const { ada, grace } = workspace;
    const thread = await givenThread(workspace, { users: [ada, grace], subject: 'Winter timetable' });
    const written = await comment(ada, thread, {
      html_content: '<p>Hello <b>Grace</b>,</p><p>see above</p>',
      json_content: mentioning(grace.user.id),
    });
    expect(await told(grace, thread)).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        event: 'comment_mentioned',
        payload: {
          id: thread.id,
          record_type: 'thread',
          subject: 'Winter timetable',
          comment: {
            id: written.id,
            parent_comment_id: null,
            user_id: ada.user.id,
            snippet: 'Hello Grace, see above',
            created_at: written.created_at,
          },
        },
        prompting_user_id: ada.user.id,
        new: true,
        read_at: null,
        dismissed_at: null,
        created_at: written.created_at,
      },
    ]);
  });

  it('the author is not told, not even when mentioned', async () => {
    const { ada, grace } = workspace;
    const thread = await givenThread(workspace, { users: [ada, grace] });
    const written = await comment(ada, thread, { json_content: mentioning(ada.user.id) });
    expect(written.mentions).toHaveLength(1);
    expect(await eventsOf(ada, thread)).toEqual([]);
  });

  it('a mentioned user who does not see the record is kept on the comment and not told', async () => {
    const { ada, linus } = workspace;
    const hidden = await givenThread(workspace, { users: [ada] });
    const revoked = await givenThread(workspace, { users: [ada, linus] });
    await hideThread(workspace, revoked, linus);
    for (const thread of [hidden, revoked]) {
      const written = await comment(ada, thread, { json_content: mentioning(linus.user.id) });
      expect(written.mentions.map((each) => each.user_id)).toEqual([linus.user.id]);
      expect(await eventsOf(linus, thread)).toEqual([]);
    }
  });

  it('a user of another account is never told', async () => {
    const { ada, hank } = workspace;
    const thread = await givenThread(workspace, { users: [ada] });
    await comment(ada, thread, { json_content: mentioning(hank.user.id) });
    expect((await hank.reader.listNotifications()).body.collection.records).toEqual([]);
  });

  it('the assistant’s mention tells nobody', async () => {
    const { ada, grace } = workspace;
    const thread = await givenThread(workspace, { users: [ada, grace] });
    await comment(ada, thread, { json_content: documentOf(mention('assistant')) });
    expect(await eventsOf(grace, thread)).toEqual([]);
  });

  it('comment_added: the owner, earlier commenters and the parent’s author, each once', async () => {
    const { ada, grace, linus } = workspace;
    const thread = await givenThread(workspace, { users: [ada, grace, linus] });
    const first = await comment(grace, thread);
    expect(await eventsOf(ada, thread)).toEqual(['comment_added']);
    expect(await eventsOf(linus, thread)).toEqual([]);
    await comment(linus, thread, { parent_comment_id: first.id });
    expect(await eventsOf(ada, thread)).toEqual(['comment_added', 'comment_added']);
    expect(await eventsOf(grace, thread)).toEqual(['comment_added']);
    await comment(ada, thread);
    expect(await eventsOf(ada, thread)).toHaveLength(2);
    expect(await eventsOf(grace, thread)).toHaveLength(2);
    expect(await eventsOf(linus, thread)).toEqual(['comment_added']);
  });

  it('comment_added: the user who asked, for a reply to the assistant’s reply', async () => {
    const { ada, grace, linus } = workspace;
    const thread = await givenThread(workspace, { users: [ada, grace, linus] });
    // Without a comment of Grace: she has deleted the question.
    const reply = await givenReply(workspace, grace, thread);
    await comment(linus, thread, { parent_comment_id: reply.id });
    expect(await eventsOf(grace, thread)).toEqual(['comment_added']);
  });

  it('a mentioned user gets comment_mentioned, and not comment_added as well', async () => {
    const { ada, grace } = workspace;
    const thread = await givenThread(workspace, { users: [ada, grace] });
    await comment(grace, thread, { json_content: mentioning(ada.user.id) });
    expect(await eventsOf(ada, thread)).toEqual(['comment_mentioned']);
  });

  it('an earlier commenter who lost access is not told', async () => {
    const { ada, linus } = workspace;
    const thread = await givenThread(workspace, { users: [ada, linus] });
    await comment(linus, thread);
    await hideThread(workspace, thread, linus);
    await comment(ada, thread);
    expect(await eventsOf(linus, thread)).toEqual([]);
  });

  it('an earlier commenter who was deactivated is not told', async () => {
    const users = await givenAccount(workspace, 2);
    const [owner, other] = users as [TestUser, TestUser];
    const thread = await givenThread(workspace, { users });
    await comment(other, thread);
    await workspace.table.update<User>(keys.user(other.user.account_id, other.user.id), {
      set: { status: 'deactivated' },
    });
    await comment(owner, thread, { json_content: mentioning(other.user.id) });
    const page = await workspace.table.all(keys.notification(other.user.id, '').PK, 'EVENT#');
    expect(page).toEqual([]);
  });

  longIt(
    'the first 25 of 30 mentioned users get comment_mentioned; the owner among the rest gets comment_added',
    async () => {
      const users = await givenAccount(workspace, 31);
      const [author, owner, ...others] = users as [TestUser, TestUser, ...TestUser[]];
      const thread = await givenThread(workspace, { users: [owner, author, ...others] });
      // The author and, on the last place, the owner are mentioned as well.
      const order = [author, ...others.toReversed(), owner].map((each) => each.user.id);
      const written = await comment(author, thread, { json_content: mentioning(...order) });
      expect(written.mentions.map((each) => each.user_id)).toEqual(order);
      const events = await Promise.all(others.toReversed().map((user) => eventsOf(user, thread)));
      expect(events.slice(0, 25)).toEqual(Array.from({ length: 25 }, () => ['comment_mentioned']));
      expect(events.slice(25)).toEqual(Array.from({ length: 4 }, () => []));
      expect(await eventsOf(owner, thread)).toEqual(['comment_added']);
      expect(await eventsOf(author, thread)).toEqual([]);
    },
  );

  longIt('users who cannot see the record do not count towards the 25', async () => {
    const users = await givenAccount(workspace, 32);
    const [author, ...others] = users as [TestUser, ...TestUser[]];
    const hidden = others.slice(0, 5);
    const thread = await givenThread(workspace, { users: [author, ...others.slice(5)] });
    await comment(author, thread, { json_content: mentioning(...others.map((each) => each.user.id)) });
    const events = await Promise.all(others.map((user) => eventsOf(user, thread)));
    expect(events.flat()).toHaveLength(25);
    expect(events.slice(0, hidden.length).flat()).toEqual([]);
    expect(events.slice(5, 30).every((each) => each[0] === 'comment_mentioned')).toBe(true);
  });

  longIt(
    'with more recipients than one transaction holds, the mentioned come first, and a job notifies the others',
    async () => {
      const users = await givenAccount(workspace, 110);
      const [author, ...others] = users as [TestUser, ...TestUser[]];
      const thread = await givenThread(workspace, { users });
      const ids = others.map((each) => each.user.id);
      await givenCommenters(workspace, { type: 'threads', id: thread.id }, ids);
      const mentioned = others.slice(-20);
      await comment(author, thread, { json_content: mentioning(...mentioned.map((each) => each.user.id)) });
      const items = await Promise.all(ids.map((id) => storedNotifications(workspace, id)));
      expect(items.slice(-20).every(([first]) => first?.event === 'comment_mentioned')).toBe(true);
      // 100 items without the comment, its pointer, its author's mark, the check of the record, two timelines, and the job.
      expect(items.flat()).toHaveLength(93);
      expect(await openJobs(workspace.table)).toMatchObject([
        { queue: 'deliver-notifications', delivery: { notices: { length: 109 - 93 } } },
      ]);
    },
  );

  it('a comment that is not written tells nobody', async () => {
    const { ada, grace } = workspace;
    const thread = await givenThread(workspace, { users: [ada, grace] });
    vi.spyOn(workspace.table, 'transact').mockRejectedValueOnce(new Error('the network is down'));
    const params = { record_type: 'threads' as const, record_id: thread.id };
    const body = { comment: { html_content: 'Hello', json_content: mentioning(grace.user.id) } };
    expect(await codeOf(ada.api.createComment({ params, body }))).toBe('500 comment_creation_failed');
    expect(await eventsOf(grace, thread)).toEqual([]);
  });

  it.each([
    ['exactly as long as a snippet', 200, '\u{1F600}'.repeat(200)],
    ['longer', 201, `${'\u{1F600}'.repeat(199)}…`],
  ])('a comment that is %s in the payload', async (_, length, snippet) => {
    const { ada, grace } = workspace;
    const thread = await givenThread(workspace, { users: [ada, grace] });
    await comment(grace, thread, { html_content: `<p>${'\u{1F600}'.repeat(length)}</p>` });
    const [notification] = await told(ada, thread);
    expect(notification?.payload?.comment).toMatchObject({ snippet });
  });

  it('a contact is named in the payload', async () => {
    const { ada, grace } = workspace;
    const created = await ada.api.createContact({ body: { contact: { name: 'Ada Byron' } } });
    const { id } = created.body.contact;
    const params = { record_type: 'contacts' as const, record_id: id };
    await grace.api.createComment({ params, body: { comment: { html_content: 'Hello' } } });
    const [notification] = await told(ada, { id, mailbox_id: '' });
    expect(notification).toMatchObject({
      event: 'comment_added',
      payload: { id, record_type: 'contact', name: 'Ada Byron' },
    });
  });
});
