import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ApiFailure } from '#shared/api/client.ts';
import { asker } from '#shared/domain/collaboration/comments/ask.ts';
import type { Comment } from '#shared/domain/collaboration/comments/comment.ts';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import type { Caller } from '#shared/domain/identity/caller.ts';
import { callerFor } from '#shared/domain/identity/users/caller-for.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { withAssets } from '../../support/assets.ts';
import { type AskedRecord, ask, openQuestions, questionOf, repliesTo } from '../../support/assistant.ts';
import { documentOf, mention } from '../../support/documents.ts';
import { givenCalendar, givenEvent } from '../../support/events.ts';
import { givenFile } from '../../support/files.ts';
import { longIt } from '../../support/long.ts';
import { givenSpace } from '../../support/spaces.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

/** Asking the assistant (docs/specification/comments.md, rule 2). Without workers: replies stay pending. */

let workspace: Workspace;
let ada: TestUser;
let contact: AskedRecord;
let removeAssets: () => Promise<void>;

beforeAll(async () => {
  workspace = await startWorkspace();
  removeAssets = await withAssets(workspace.ctx);
  ada = workspace.ada;
});
afterAll(async () => {
  await removeAssets();
  await workspace.stop();
});
beforeEach(async () => {
  workspace.ctx.config.assistant.questions_per_minute = 1_000;
  const { body } = await ada.api.createContact({ body: { contact: { name: 'Priya' } } });
  contact = { record_type: 'contacts', record_id: body.contact.id };
});

const say = async (json_content: string, user = ada, params = contact) => {
  const comment = { html_content: '<p>Hello</p>', json_content };
  return (await user.api.createComment({ params, body: { comment } })).body.comment;
};
const text = (value: string) => ({ type: 'text', text: value });

describe('a comment that mentions the assistant', () => {
  it('has a reply at once: agent assistant, pending, of the user who asked, listed below the comment', async () => {
    const comment = await ask(ada, contact, 'Who is this?');
    expect(comment).toMatchObject({ agent: null, status: 'complete', mentions: [] });
    const { comments } = (await workspace.grace.reader.listComments({ params: contact })).body;
    expect(comments.map(({ id }) => id)[0]).toBe(comment.id);
    expect(comments[1]).toMatchObject({
      agent: 'assistant',
      status: 'pending',
      parent_comment_id: comment.id,
      user_id: ada.user.id,
      contact_id: contact.record_id,
      text: null,
      html_content: null,
      json_content: null,
      blocks: [],
      refs: [],
      updated_at: null,
    });
  });

  it('asks the text after the first mention, with any text before it', async () => {
    await say(
      documentOf(text('Before '), mention('assistant'), text(' who '), mention(ada.user.id), text('is it?')),
    );
    const jobs = await openQuestions(workspace);
    expect(jobs.map(({ question }) => question.text)).toContain('who is it?');
  });

  it('reads the question across blocks, line breaks and names of other mentions', async () => {
    const grace = { type: 'mention', attrs: { id: workspace.grace.user.id, label: 'Grace' } };
    await say(
      JSON.stringify({
        type: 'doc',
        content: [
          { type: 'paragraph', content: [mention('assistant'), text('What did '), grace, text(' say')] },
          { type: 'paragraph', content: [text('one'), { type: 'hardBreak' }, text('two')] },
        ],
      }),
    );
    const jobs = await openQuestions(workspace);
    expect(jobs.map(({ question }) => question.text)).toContain('What did @Grace say\none\ntwo');
  });

  it.each([
    ['no text after the mention', documentOf(text('Please '), mention('assistant'))],
    ['only spaces after it', documentOf(mention('assistant'), text('  \u00a0 '))],
    ['no mention', documentOf(text('@assistant who is this?'))],
    ['a mention with another id', documentOf(mention('Assistant'), text('who is this?'))],
    [
      'an id that is no string',
      JSON.stringify({
        type: 'doc',
        content: [{ type: 'mention', attrs: { id: ['assistant'] } }, text('who?')],
      }),
    ],
  ])('gets no reply with %s', async (_, json_content) => {
    const comment = await say(json_content);
    expect(await repliesTo(ada, contact, comment)).toEqual([]);
  });

  it('gets one reply for several mentions', async () => {
    const comment = await say(
      documentOf(mention('assistant'), text('one '), mention('assistant'), text('two')),
    );
    expect(await repliesTo(ada, contact, comment)).toHaveLength(1);
  });

  it('on an organization: a pending reply', async () => {
    const organization = { name: 'Asked About' };
    const { id } = (await ada.api.createOrganization({ body: { organization } })).body.organization;
    const params = { record_type: 'organizations' as const, record_id: id };
    const comment = { html_content: '<p>x</p>', json_content: questionOf('what do they do?') };
    await ada.api.createComment({ params, body: { comment } });
    const { comments } = (await ada.reader.listComments({ params })).body;
    expect(comments).toMatchObject([{ agent: null }, { agent: 'assistant', status: 'pending' }]);
    const asked = (await openQuestions(workspace)).map(({ question }) => question.record);
    expect(asked).toContainEqual({ type: 'organizations', id });
  });

  it.each<['spaces' | 'files' | 'calendar_events', () => Promise<{ id: string }>]>([
    ['spaces', () => givenSpace(ada)],
    ['files', () => givenFile(workspace, ada)],
    ['calendar_events', async () => givenEvent(ada, (await givenCalendar(workspace, ada)).calendar_id)],
  ])('on %s: a comment without a reply', async (record_type, given) => {
    const { id } = await given();
    const params = { record_type, record_id: id };
    const comment = { html_content: '<p>x</p>', json_content: questionOf('who?') };
    const before = (await openQuestions(workspace)).length;
    await ada.api.createComment({ params, body: { comment } });
    expect((await ada.reader.listComments({ params })).body.comments).toMatchObject([{ agent: null }]);
    expect(await openQuestions(workspace)).toHaveLength(before);
  });

  longIt.each([
    ['10', 'x'.repeat(10), 10],
    ['100,000', 'x'.repeat(100_000), 20_000],
    ['100,000 of four bytes', '😀'.repeat(50_000), 20_000],
  ])('with a question of %s characters keeps its beginning', async (_, question, length) => {
    const comment = await ask(ada, contact, question);
    const [reply] = await repliesTo(ada, contact, comment);
    const jobs = await openQuestions(workspace);
    expect(jobs.find(({ id }) => id === reply?.id)?.question.text).toHaveLength(length);
  });
});

describe('the records on which the assistant answers', () => {
  it.each([
    ['contacts', true],
    ['organizations', true],
    ['threads', true],
    ['deals', true],
    ['files', false],
    ['calendar_events', false],
    ['spaces', false],
  ] as const)('%s: %s', async (record_type, answers) => {
    const { account_id, id: user_id } = ada.user;
    const caller = (await callerFor(workspace.table, { account_id, user_id })) as Caller;
    const now = new Date();
    const comment: Comment = {
      id: newId(now),
      account_id,
      record_type,
      record_id: newId(now),
      user_id,
      parent_comment_id: null,
      html_content: '<p>A question</p>',
      json_content: null,
      mentioned_user_ids: [],
      created_at: now.toISOString(),
      updated_at: null,
      version: 1,
    };
    const asking = await asker({ ...workspace.ctx, caller, now })(comment, 'Who is this?');
    const asked = [{ question: { user_id, record: { type: record_type } } }];
    expect(asking.jobs).toMatchObject(answers ? asked : []);
    expect(asking.writes.length > 0).toBe(answers);
  });
});

describe('who may ask', () => {
  const setFeature = (ask_assistant: boolean) =>
    workspace.table.update<Account>(keys.account(workspace.account_id), {
      set: { features: { ask_assistant } },
    });
  const setWanted = ({ user }: TestUser, assistant_enabled: boolean) =>
    workspace.table.update<User>(keys.user(workspace.account_id, user.id), { set: { assistant_enabled } });
  const canAsk = async (user: TestUser) =>
    (await user.reader.retrieveCurrentUser()).body.user.capabilities?.ask_assistant;
  const asked = async (user: TestUser) => {
    const comment = await ask(user, contact, 'Who is this?');
    return (await repliesTo(user, contact, comment)).length === 1;
  };

  longIt('nobody while the account has the feature off, as capabilities.ask_assistant says', async () => {
    await setFeature(false);
    expect([await canAsk(ada), await asked(ada)]).toEqual([false, false]);
    await setFeature(true);
    expect([await canAsk(ada), await asked(ada)]).toEqual([true, true]);
  });

  longIt('nobody who has opted out', async () => {
    const { grace } = workspace;
    await setWanted(grace, false);
    expect([await canAsk(grace), await asked(grace)]).toEqual([false, false]);
    expect([await canAsk(ada), await asked(ada)]).toEqual([true, true]);
    await setWanted(grace, true);
  });

  it('nobody where the deployment has no assistant', async () => {
    const { config } = workspace.ctx;
    const { assistant } = config;
    config.assistant = { ...assistant, provider: 'none' };
    expect([await canAsk(ada), await asked(ada)]).toEqual([false, false]);
    config.assistant = assistant;
  });

  longIt(
    '429 rate_limited with Retry-After for the 21st question of a minute, and no comment is written',
    async () => {
      workspace.ctx.config.assistant.questions_per_minute = 20;
      const { linus } = workspace;
      workspace.setTime(new Date('2060-01-01T10:30:00Z'));
      for (let i = 0; i < 20; i++) await ask(linus, contact, `Question ${i}`);
      const refused = await ask(linus, contact, 'One more').catch((error: ApiFailure) => error);
      expect(refused).toMatchObject({ status: 429, code: 'rate_limited' });
      expect(Number((refused as ApiFailure).headers.get('retry-after'))).toBeGreaterThan(0);
      const body = { comment: { html_content: '<p>No question</p>' } };
      expect((await linus.api.createComment({ params: contact, body })).status).toBe(201);
      const { comments } = (await linus.reader.listComments({ params: contact })).body;
      expect(comments.filter(({ agent }) => agent === null)).toHaveLength(21);
      expect((await repliesTo(ada, contact, await ask(ada, contact, 'Somebody else may'))).length).toBe(1);
      workspace.setTime(new Date('2060-01-01T10:32:00Z'));
      expect(await repliesTo(linus, contact, await ask(linus, contact, 'Later'))).toHaveLength(1);
      workspace.setTime(undefined);
    },
  );
});

describe('editing a comment', () => {
  const edit = (id: string, json_content?: string | null) =>
    ada.api.updateComment({
      params: { id },
      body: { comment: { html_content: '<p>New</p>', json_content } },
    });

  it('asks when it adds a mention of the assistant', async () => {
    const comment = await say(documentOf(text('Nothing')));
    await edit(comment.id, questionOf('And now?'));
    expect(await repliesTo(ada, contact, comment)).toHaveLength(1);
    await edit(
      comment.id,
      documentOf(mention('assistant'), text('And now? '), mention('assistant'), text('Again?')),
    );
    expect(await repliesTo(ada, contact, comment)).toHaveLength(2);
    const asked = (await openQuestions(workspace)).map(({ question }) => question.text);
    expect(asked).toEqual(expect.arrayContaining(['And now?', 'Again?']));
  });

  longIt.each([
    ['the question changes', questionOf('Something else?')],
    ['no json_content is sent', undefined],
    ['the mention is removed', null],
  ])('does not ask again when %s', async (_, json_content) => {
    const comment = await ask(ada, contact, 'Who is this?');
    await edit(comment.id, json_content);
    expect(await repliesTo(ada, contact, comment)).toHaveLength(1);
  });
});

describe('a pending reply', () => {
  longIt('is deleted by the user who asked and nobody else, and edited by nobody', async () => {
    const comment = await ask(ada, contact, 'Who is this?');
    const [reply] = await repliesTo(ada, contact, comment);
    const params = { id: reply?.id as string };
    const body = { comment: { html_content: '<p>x</p>' } };
    for (const user of [workspace.grace, ada])
      await expect(user.api.updateComment({ params, body })).rejects.toMatchObject({ status: 404 });
    await expect(workspace.grace.api.deleteComment({ params })).rejects.toMatchObject({ status: 404 });
    expect((await ada.api.deleteComment({ params })).status).toBe(204);
    expect(await repliesTo(ada, contact, comment)).toEqual([]);
  });

  it('stays, top-level, when the question is deleted', async () => {
    const comment = await ask(ada, contact, 'Who is this?');
    const [reply] = await repliesTo(ada, contact, comment);
    await ada.api.deleteComment({ params: { id: comment.id } });
    const { comments } = (await ada.reader.listComments({ params: contact })).body;
    expect(comments).toMatchObject([{ id: reply?.id, parent_comment_id: null, status: 'pending' }]);
  });
});
