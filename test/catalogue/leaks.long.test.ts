import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { operations } from '../../functions/catalogue.ts';
import { caseOf, cases, readWorld, type World } from '../bench/cases.ts';
import { withAssets } from '../support/assets.ts';
import { finishedReply, questionOf } from '../support/assistant.ts';
import { commentsOf } from '../support/comments.ts';
import { allowAllQuestions } from '../support/conversations.ts';
import { mentioning } from '../support/documents.ts';
import { openJobs } from '../support/jobs.ts';
import { givenEntry } from '../support/mail.ts';
import { givenMarkedThread, type Half, type MarkedThread, storedFor } from '../support/marked-mail.ts';
import { givenColleagues } from '../support/notifications.ts';
import { type Overheard, overhear } from '../support/overheard.ts';
import { onThread } from '../support/shares.ts';
import { startWorkspace, type TestUser, type Workspace } from '../support/workspace.ts';

/**
 * Two users see two halves of one thread. Each calls every operation of the catalogue, on the thread and beside it;
 * no response to either and nothing stored for either has a word, an id or a timestamp of the other half.
 */

let workspace: Workspace;
let dropAssets: () => Promise<void>;
let thread: MarkedThread;
let overheard: Overheard;
/** Reads what the second half shared with this user. */
let linus: TestUser;

beforeAll(async () => {
  workspace = await startWorkspace({ mail: true, own_table: true });
  dropAssets = await withAssets(workspace.ctx);
  allowAllQuestions(workspace);
  const { ada, grace } = workspace;
  linus = workspace.linus;
  overheard = overhear();
  await ada.api.updateAgentConfiguration({
    params: { agent_slug: 'auto_summarize' },
    body: { agent_configuration: { enabled: true } },
  });
  // Within the window of the open threads, at a second that nothing else has.
  const day = Math.floor(Date.now() / 86_400_000 - 3) * 86_400_000;
  const at = (hours: number, minutes: number, seconds: number) =>
    day + ((hours * 60 + minutes) * 60 + seconds) * 1_000;
  thread = await givenMarkedThread(workspace, [
    { user: ada, mark: 'adaonly', category: 'Promotions', sent: [at(3, 17, 41), at(4, 27, 43)] },
    { user: grace, mark: 'graceonly', category: 'Forums', sent: [at(5, 37, 47), at(2, 47, 53)] },
  ]);
  await workIsDone();
}, 120_000);
afterAll(async () => {
  overheard?.stop();
  await dropAssets?.();
  await workspace?.stop();
});

/**
 * No push service is there to take the messages of the devices that operations register, and the job of an account that
 * pays waits for an hour, the second pass over a deleted mailbox for a quarter.
 */
const leftToDo = async () =>
  (await openJobs(workspace.table)).filter(
    ({ queue, body }) =>
      queue !== 'push-notifications' &&
      queue !== 'update-billing' &&
      !('deleted_mailbox_id' in body && body.pass === 2),
  );

const workIsDone = () =>
  vi.waitFor(async () => expect(await leftToDo()).toEqual([]), { timeout: 60_000, interval: 100 });
const halves = (): [own: Half, other: Half][] => {
  const [first, second] = thread.halves;
  return [
    [first, second],
    [second, first],
  ];
};
const quietly = (call: Promise<unknown>) => call.catch(() => undefined);

/** All responses to a user, without what every colleague's record says of its user. */
function heardBy({ write_key, read_key, session_token }: TestUser): string {
  const heard = [write_key, read_key, session_token].map((key) => overheard.of(key)).join('\n');
  return heard.replaceAll(/"primary_mailbox_id":"[^"]*"/g, '');
}

/** The marks of a half that a text contains. */
function found(text: string, { mark, secrets }: Half): string[] {
  const words = text.match(new RegExp(`.{0,80}${mark}\\w+.{0,20}`, 'gi')) ?? [];
  const named = Object.entries(secrets).flatMap(([name, value]) => {
    const at = text.indexOf(value);
    return at < 0 ? [] : [`${name}: ${text.slice(Math.max(0, at - 80), at + 80)}`];
  });
  return [...new Set(words), ...named];
}

/** The actions of one of the two that the other is shown. */
async function actOnThread({ user }: Half, other: Half): Promise<void> {
  const params = onThread(thread.id);
  const comment = async (draft: object) =>
    (
      await user.api.createComment({
        params,
        body: { comment: { html_content: '<p>See above</p>', ...draft } },
      })
    ).body.comment;
  const first = await comment({ json_content: mentioning(other.user.user.id) });
  await comment({ parent_comment_id: first.id });
  await user.api.addReaction({ params: { comment_id: first.id }, body: { reaction: { text: '👍' } } });
  for (const question of [
    `Tag this as Berth ${user.user.name}`,
    'Tag this as Pier',
    'How many messages are there?',
  ]) {
    const asked = await comment({ json_content: questionOf(question) });
    await finishedReply(user, params, asked);
  }
  const { tag } = (await user.api.createTag({ body: { tag: { name: `Tag of ${user.user.name}` } } })).body;
  await user.api.applyTag({ params, body: { tag_id: tag.id } });
}

/** Threads around the shared one, so that a page ends with it and its cursor holds its place. */
async function fillPage({ user: { user }, mailbox }: Half): Promise<void> {
  const newest = 2 ** 21;
  const given = [0, ...Array.from({ length: 49 }, (_, i) => newest + i)];
  await Promise.all(
    given.map((number) => givenEntry(workspace.table, user, { number, mailbox_ids: [mailbox] })),
  );
}

/** Answers proposals in comments of the other. */
async function answerProposals({ user }: Half, other: Half): Promise<void> {
  const comments = await commentsOf(user, thread);
  const theirs = comments.filter((comment) => comment.agent && comment.user_id === other.user.user.id);
  const blocks = theirs.flatMap((comment) => comment.blocks).filter((block) => block.type === 'proposal');
  expect(blocks.length).toBeGreaterThanOrEqual(2);
  const [accepted, rejected] = blocks.map(({ proposal_id }) => proposal_id) as [string, string];
  await user.api.acceptProposal({ params: { proposal_id: accepted }, body: {} });
  await user.api.retrieveProposal({ params: { id: accepted } });
  await user.api.undoProposal({ params: { proposal_id: accepted } });
  await user.api.resolveProposals({ body: { ids: [rejected], action: 'reject' } });
}

/** Somebody asks for the thread; both halves are asked, and the second one gives its own. */
async function askForSecondHalf(): Promise<void> {
  for (const [{ user, mailbox }, other] of halves()) {
    const params = { id: mailbox };
    await user.api.updateMailbox({ params, body: { mailbox: { share_metadata: true } } });
    for (const id of [thread.id, other.mailbox, other.contact])
      await quietly(user.api.createShareRequest({ body: { share_request: asking(id) } }));
  }
  const { share_request } = (
    await linus.api.createShareRequest({ body: { share_request: asking(thread.id) } })
  ).body;
  for (const { user } of [...thread.halves, { user: linus }]) {
    await user.reader.retrieveShareRequest({ params: { id: share_request.id } });
    for (const direction of ['received', 'sent'] as const)
      await user.reader.listShareRequests({ query: { direction, status: 'all' } });
    await user.reader.listNotifications();
  }
  const params = { share_request_id: share_request.id };
  await thread.halves[1].user.api.approveShareRequest({ params, body: {} });
  await thread.halves[0].user.reader.retrieveShareRequest({ params: { id: share_request.id } });
  await linus.reader.retrieveShareRequest({ params: { id: share_request.id } });
}

/** What the day brings each of them, with the names of threads. */
async function briefAll(): Promise<void> {
  const users = [...thread.halves.map(({ user }) => user), linus];
  for (const { api } of users) await api.createDailyBriefing();
  await workIsDone();
  for (const { reader } of users) {
    const [briefing] = (await reader.listDailyBriefings()).body.daily_briefings;
    expect(briefing?.status).toBe('complete');
    expect(briefing?.refs.map(({ id }) => id)).toContain(thread.id);
    await reader.retrieveDailyBriefing({ params: { id: briefing?.id ?? '' } });
  }
}

const asking = (record_id: string) => ({ record_type: 'thread' as const, record_id, message: 'May I?' });

/** Every search for the content of the other half. No search sends a whole word of it. */
async function lookFor({ api, session }: TestUser, other: Half): Promise<void> {
  const beginning = other.mark.slice(0, -1);
  const { mailbox, contact } = other;
  const queries = [
    { query: beginning },
    { subject: beginning },
    { mailbox_id: mailbox },
    { contact_id: contact },
    { slice: 'inbox' },
    { slice: 'awaiting' },
    { has_attachment: 'true' },
    { category: 'promotion' },
    { category: 'forum' },
    { scope: 'shared' },
    { sort: 'last_sent_at', order: 'asc' },
  ];
  for (const query of queries) {
    await quietly(api.listThreads({ query: query as never }));
    await quietly(api.countThreads({ query: query as never }));
  }
  for (const id of [mailbox, contact]) {
    await quietly(api.retrieveMailbox({ params: { id } }));
    await quietly(api.syncMailbox({ params: { mailbox_id: id }, body: { full: true } }));
    await quietly(api.retrieveContact({ params: { id } }));
    await quietly(api.listShares({ params: { record_type: 'mailboxes', record_id: id } }));
    await quietly(api.listComments({ params: { record_type: 'contacts', record_id: id } }));
    const share = { user_id: other.user.user.id };
    await quietly(api.createShare({ params: { record_type: 'mailboxes', record_id: id }, body: { share } }));
    await quietly(
      api.createConversation({ body: { conversation: { record_type: 'contact', record_id: id } } }),
    );
  }
  for (const limit of [1, 50]) await api.searchRecords({ query: { query: beginning, limit } });
  for (const query of [{ contact_id: contact }, { user_id: other.user.user.id }, {}])
    await quietly(api.showTimeline({ query }));
  await api.listShares({ params: onThread(thread.id) });
  for (const limit of [1, 100]) await api.listNotifications({ query: { limit } });
  await api.listProposals({ query: { status: 'all' } });
  await session.listConversations({ query: { query: beginning } });
  await askAlone(api, beginning);
}

/** Asks the assistant in private, about the thread and beside it. */
async function askAlone(api: TestUser['api'], beginning: string): Promise<void> {
  const about = (draft: object) => api.createConversation({ body: { conversation: draft } });
  for (const [made, questions] of [
    [about({}), [`Find threads about ${beginning}`, `Who is ${beginning}?`, 'Show me unread threads']],
    [
      about({ record_type: 'thread', record_id: thread.id }),
      [
        'Summarize this thread',
        'Who takes part in this?',
        'Which files came with it?',
        'What was said last?',
      ],
    ],
  ] as const) {
    const params = { conversation_id: (await made).body.conversation.id };
    for (const text of questions) await api.createMessage({ params, body: { message: { text } } });
    await workIsDone();
    await api.listMessages({ params, query: { limit: 100 } });
  }
}

describe('two users see two halves of one thread', () => {
  it('each does everything to the other', async () => {
    for (const [own, other] of halves()) await actOnThread(own, other);
    for (const [own, other] of halves()) await answerProposals(own, other);
    await askForSecondHalf();
    await workIsDone();
    await briefAll();
  }, 120_000);

  it('every operation of the catalogue has a row', () => {
    expect(Object.keys(cases).sort()).toEqual(operations.map(({ name }) => name).sort());
  });

  it.each([0, 1] as const)(
    'each calls every operation: %s',
    async (i) => {
      const [own] = halves()[i] as [Half, Half];
      const { table } = workspace;
      const { write_key, session_token } = own.user;
      const [colleague_id] = await givenColleagues(workspace, own.user, 1);
      const read = await readWorld({ table, base_url: workspace.url, write_key, session_token });
      const world: World = {
        ...read,
        thread_id: thread.id,
        mailbox_id: own.mailbox,
        contact_id: own.contact,
        colleague_id: colleague_id as string,
      };
      const refused: string[] = [];
      for (const { name } of operations) {
        const call = await caseOf(name)(world, `leak-${name.toLowerCase()}-${i}`);
        await call().catch((error) => refused.push(`${name} ${error.code}`));
      }
      // Operations for owners and admins only.
      const forAdmins = [
        ...['createCreditCard', 'updateAccount', 'updateCreditCard'],
        ...['updateAgentConfiguration', 'listAuditEvents'],
        ...['createCustomField', 'deleteCustomField', 'updateCustomField'],
        ...['createPipeline', 'createStage', 'deletePipeline', 'deleteStage'],
        ...['updatePipeline', 'updateStage'],
        ...['deleteTag', 'createUser', 'deleteUser'],
      ];
      expect(refused).toEqual(i === 0 ? [] : forAdmins.map((name) => `${name} permission_denied`));
      await workIsDone();
    },
    180_000,
  );

  it('each searches for the other half, and finds nothing of it', async () => {
    for (const [own, other] of halves()) {
      await fillPage(own);
      await lookFor(own.user, other);
      const { api } = own.user;
      const total = async (query: object) =>
        (await api.countThreads({ query: query as never })).body.count.total;
      const searched = async ({ mark }: Half) =>
        (await api.searchRecords({ query: { query: mark.slice(0, -1) } })).body.search;
      expect(await searched(other)).toMatchObject({ has_more: false, total: 0, results: [] });
      const types = (await searched(own)).results.map(({ type }) => type);
      expect([...new Set(types)].sort()).toEqual(['contact', 'file', 'thread']);
      expect(await total({ query: `${other.mark}subject` })).toBe(0);
      expect(await total({ participant: `${other.mark}to@ferries.example` })).toBe(0);
      expect(await total({ query: `${own.mark}subject` })).toBe(1);
      expect(await total({ participant: `${own.mark}to@ferries.example` })).toBe(1);
    }
    await lookFor(linus, thread.halves[0]);
    const { body } = await linus.reader.retrieveThread({ params: { id: thread.id } });
    expect(body.thread).toMatchObject({ subject: 'graceonlysubject', message_count: 2, mailbox_ids: [] });
  }, 180_000);

  it('each sees its own half in all fields, so every mark is in place', () => {
    for (const [own] of halves()) {
      const heard = heardBy(own.user);
      const fields = [
        'subject',
        'fromname',
        'to',
        'toname',
        'cc',
        'ccname',
        'text',
        'quote',
        'quoter',
        'cid',
        'type',
      ];
      const marks = [...fields, 'file', 'image', 'contact'].map((field) => `${own.mark}${field}`);
      expect(marks.filter((mark) => !heard.includes(mark))).toEqual([]);
      // Of the two ranks the later one is that of the thread.
      const silent = Object.entries(own.secrets).filter(([, value]) => !heard.includes(value));
      expect(silent.map(([name]) => name.slice(0, 4))).toEqual(['rank']);
    }
  });

  it('no response has a word, an id or a timestamp of the other half', () => {
    const [first, second] = thread.halves;
    expect(found(heardBy(first.user), second)).toEqual([]);
    expect(found(heardBy(second.user), first)).toEqual([]);
    expect(found(heardBy(linus), first)).toEqual([]);
  });

  it('a share hides the rest of the mailbox from its user', () => {
    const [, { secrets }] = thread.halves;
    const heard = heardBy(linus);
    expect(heard).toContain('graceonlysubject');
    expect(heard).not.toContain('graceonlycontact');
    for (const name of ['mailbox', 'contact']) expect(heard).not.toContain(`"${secrets[name]}"`);
  });

  it('nothing of the other half is stored for a user', async () => {
    const [first, second] = thread.halves;
    expect(found(await storedFor(workspace, second.user.user.id), first)).toEqual([]);
    expect(found(await storedFor(workspace, first.user.user.id), second)).toEqual([]);
    expect(found(await storedFor(workspace, linus.user.id), first)).toEqual([]);
    expect(found(await storedFor(workspace, first.user.user.id), first)).not.toEqual([]);
  });
});
