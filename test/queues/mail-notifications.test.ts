import { rm } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { MAX_LINES } from '#shared/domain/collaboration/notifications/mails/digest.ts';
import { notificationMail } from '#shared/domain/collaboration/notifications/mails/mail.ts';
import type { SendingJob } from '#shared/domain/collaboration/notifications/sending/job.ts';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { newJob } from '#shared/domain/platform/jobs/job.ts';
import { mailJob } from '#shared/domain/platform/outgoing-mail/job.ts';
import { newId } from '#shared/ids.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import { handler as dueWork } from '../../functions/queues/do-due-work.ts';
import { handler } from '../../functions/queues/mail-notifications.ts';
import { handler as planning } from '../../functions/queues/push-notifications.ts';
import { handler as sweep } from '../../functions/queues/sweep-jobs.ts';
import { givenCalendar, shareMailbox } from '../support/events.ts';
import { failNth } from '../support/faults.ts';
import { deliverMessages, openJobs } from '../support/jobs.ts';
import { linesOf, logged } from '../support/logged.ts';
import { cases, longIt, STRIDE } from '../support/long.ts';
import {
  mailAll,
  mailDigests,
  mailsOf,
  planMails,
  sendNotificationMails,
  unsubscribeUrlOf,
  waitingDigests,
} from '../support/notification-mail.ts';
import { givenNotifications } from '../support/notifications.ts';
import { startSmtpSink } from '../support/smtp-sink.ts';
import { givenTwoViews } from '../support/two-views.ts';
import { startWorkspace, type TestUser, type Workspace } from '../support/workspace.ts';

/** docs/specification/notifications.md, "Mail": from what a user does to what another one gets. */
let workspace: Workspace;
let ada: TestUser;
let grace: TestUser;
let linus: TestUser;
let contact_id: string;
beforeAll(async () => {
  workspace = await startWorkspace({ own_table: true, files: true });
  ({ ada, grace, linus } = workspace);
  const contact = { name: 'Moira Bell' };
  contact_id = (await ada.api.createContact({ body: { contact } })).body.contact.id;
});
afterEach(async () => {
  workspace.setTime(undefined);
  workspace.ctx.stand_ins = {};
  await Promise.all([grace, linus].map((user) => wants(user, {}, 'none')));
  for (const item of [...(await openJobs(workspace.table)), ...(await waitingDigests(workspace))])
    await workspace.table.delete(keyOf(item));
  await rm(workspace.outbox, { recursive: true, force: true });
});
afterAll(() => workspace?.stop());

const events = [
  ...['task_assigned', 'deal_assigned', 'comment_added', 'comment_mentioned'],
  ...['contact_shared', 'mailbox_shared', 'task_reminder'],
];
type Digest = User['notification_digest'];
/** As requests do it, so that the account knows. */
async function wants({ api, user }: TestUser, wanted: object, notification_digest?: Digest): Promise<void> {
  const none = Object.fromEntries(events.map((event) => [event, null]));
  const notification_settings = { ...none, ...wanted } as never;
  await api.updateUser({
    params: { id: user.id },
    body: { user: { notification_settings, notification_digest } },
  });
}
const mailed = { push: false, email: true };
const change = ({ user }: TestUser, set: Partial<User>) =>
  workspace.table.update<User>(keys.user(user.account_id, user.id), { set });
const mention = (author: TestUser, ...users: TestUser[]) =>
  author.api.createComment({
    params: { record_type: 'contacts', record_id: contact_id },
    body: { comment: { html_content: 'A secret', mentioned_user_ids: users.map(({ user }) => user.id) } },
  });

describe('a notification by mail', () => {
  it('says who did what and where, links to the record, and has nothing of what was written', async () => {
    await wants(grace, { comment_mentioned: mailed });
    await mention(ada, grace);
    expect(await planMails(workspace)).toBe(0);
    expect(await sendNotificationMails(workspace)).toBe(0);
    const [mail, ...others] = await mailsOf(workspace, grace);
    expect(others).toEqual([]);
    const said = 'Ada Lovelace mentioned you: Moira Bell';
    const page = `https://app.acme.example/contacts/${contact_id}`;
    expect(mail?.subject).toBe(said);
    const url = unsubscribeUrlOf(mail as never);
    expect(url.href).toMatch(/^https:\/\/api\.acme\.example\/v1\/unsubscriptions\?token=[\w-]{86}$/);
    expect(mail?.text?.trim().split('\n')).toEqual([
      ...[said, '', 'Open it:', page, ''],
      'You get this mail because you asked for mail about notifications.',
      ...['End this mail:', url.href],
    ]);
    expect(mail?.html).toContain(`href="${page}"`);
    expect(mail?.html).toContain(`href="${url.href}"`);
    expect(mail?.headers).toContainEqual({
      key: 'list-unsubscribe-post',
      originalKey: 'List-Unsubscribe-Post',
      value: 'List-Unsubscribe=One-Click',
    });
    expect(JSON.stringify(mail)).not.toMatch(/secret/);
    expect(await openJobs(workspace.table)).toEqual([]);
  });

  it('links to nothing and says it in words while nobody has said where the app and the API are', async () => {
    await wants(grace, { comment_mentioned: mailed });
    await mention(ada, grace);
    const { addresses } = workspace.ctx.config;
    workspace.ctx.config.addresses = { app: undefined, api: undefined };
    await mailAll(workspace);
    workspace.ctx.config.addresses = addresses;
    const [mail] = await mailsOf(workspace, grace);
    expect(mail?.text).toContain('Open the app to see more.');
    expect(mail?.text).toContain('Your settings end it');
    expect(JSON.stringify(mail)).not.toMatch(/https?:|list-unsubscribe/i);
  });

  it('makes no job for who did not ask, or turned it off, and reads nobody in accounts where nobody did', async () => {
    const { hank } = workspace;
    const account = await workspace.table.get<Account>(keys.account(hank.user.account_id));
    expect(account).not.toHaveProperty('has_notification_mail');
    await wants(grace, { comment_added: mailed, comment_mentioned: { push: true, email: false } });
    await mention(ada, grace, linus);
    expect(await openJobs(workspace.table)).toEqual([]);
  });

  it('is not planned where the service sends no mail', async () => {
    await wants(grace, { comment_mentioned: mailed });
    await mention(ada, grace);
    const { mail } = workspace.ctx.config;
    workspace.ctx.config.mail = { ...mail, provider: 'none' };
    expect(await planMails(workspace)).toBe(0);
    workspace.ctx.config.mail = mail;
    expect(await openJobs(workspace.table)).toEqual([]);
  });

  const actions: [event: string, subject: string, act: () => Promise<unknown>][] = [
    [
      'task_assigned',
      'Ada Lovelace assigned a task to you: Call',
      () => ada.api.createTask({ body: { task: { name: 'Call', assigned_user_id: grace.user.id } } }),
    ],
    [
      'deal_assigned',
      'Ada Lovelace assigned a deal to you: Boats',
      () => ada.api.createDeal({ body: { deal: { name: 'Boats', assigned_user_id: grace.user.id } } }),
    ],
    [
      'contact_shared',
      'Ada Lovelace shared a contact with you: Moira Bell',
      () =>
        ada.api.createShare({
          params: { record_type: 'contacts', record_id: contact_id },
          body: { share: { user_id: grace.user.id } },
        }),
    ],
    [
      'mailbox_shared',
      'Ada Lovelace shared a mailbox with you',
      async () => shareMailbox(ada, (await givenCalendar(workspace, ada)).mailbox_id, grace),
    ],
  ];
  longIt.each(actions)('%s', async (event, subject, act) => {
    await wants(grace, { [event]: mailed });
    await act();
    await mailAll(workspace);
    const [mail] = await mailsOf(workspace, grace);
    expect(mail?.subject?.startsWith(subject)).toBe(true);
    const page = `https://app.acme.example/${event.replace(/_\w+$/, '').replace('mailbox', 'mailboxe')}s/`;
    expect(mail?.text).toContain(page);
  });

  longIt('to two users of one thread has the subject that each sees', async () => {
    const thread = await givenTwoViews(workspace, ada, grace);
    await wants(grace, { comment_mentioned: mailed });
    await ada.api.createComment({
      params: { record_type: 'threads', record_id: thread.id },
      body: { comment: { html_content: '?', mentioned_user_ids: [grace.user.id] } },
    });
    await mailAll(workspace);
    const [mail] = await mailsOf(workspace, grace);
    expect(mail?.subject).toBe('Ada Lovelace mentioned you: Ferry times');
    expect(JSON.stringify(mail)).not.toContain('Merger');
  });

  it('puts nothing that people are called into headers, and no link of theirs', async () => {
    await wants(grace, { comment_mentioned: mailed });
    const name = 'Moira\r\nBcc: eve@evil.example\u202e\u2066 https://evil.example <b>';
    const { id } = (await ada.api.createContact({ body: { contact: { name: 'Moira' } } })).body.contact;
    // As what is imported from others' files may be.
    await workspace.table.update(keys.record('contacts', id), { set: { name } as never });
    await ada.api.createComment({
      params: { record_type: 'contacts', record_id: id },
      body: { comment: { html_content: '?', mentioned_user_ids: [grace.user.id] } },
    });
    const sink = await startSmtpSink();
    const { mail: outbox } = workspace.ctx.config;
    workspace.ctx.config.mail = { ...outbox, provider: 'smtp', smtp_url: sink.url };
    await mailAll(workspace);
    workspace.ctx.config.mail = outbox;
    await sink.stop();
    const [{ raw, to, mail } = expect.fail('nothing came')] = sink.taken;
    expect(to).toEqual([grace.user.email_address]);
    expect(raw).not.toMatch(/^Bcc:/im);
    expect(raw).toMatch(/^List-Unsubscribe:\s+<https:\S+>\r$/m);
    expect(raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
    expect(mail.subject).not.toMatch(/[\r\n\u202e\u2066]/);
    expect(mail.text).not.toMatch(/https:\/\/evil|[\u202e\u2066]/);
    expect(mail.html).not.toMatch(/https:\/\/evil|<b>/);
  });
});

describe('sends nothing of what is', () => {
  const contact = (set: object) =>
    ada.api.updateContact({ params: { id: contact_id }, body: { contact: set } });
  const account = (status: Account['status']) =>
    workspace.table.update<Account>(keys.account(workspace.account_id), { set: { status } });
  const reasons: [reason: string, prevent: () => Promise<unknown>, undo?: () => Promise<unknown>][] = [
    ['hidden since', () => contact({ visibility: 'private' }), () => contact({ visibility: 'account' })],
    ['read since', () => linus.api.markAllNotificationsRead()],
    ['dismissed since', () => linus.api.dismissNotifications({ body: { global: true } })],
    ['turned off since', () => wants(linus, {})],
    [
      'of a deactivated user',
      () => change(linus, { status: 'deactivated' }),
      () => change(linus, { status: 'active' }),
    ],
    ['of a closed account', () => account('closed'), () => account('active')],
  ];
  const all = (['before it is planned', 'after it is planned', 'in a digest'] as const).flatMap((time) =>
    reasons.map(([reason, prevent, undo]) => ({ reason, time, prevent, undo })),
  );
  const some = all.filter(({ time, reason }) => time === 'after it is planned' || reason === 'hidden since');
  const others = all.filter((each) => !some.includes(each));
  it.each(cases(some, others))('$reason, $time', async ({ time, prevent, undo }) => {
    await wants(linus, { comment_mentioned: mailed }, time === 'in a digest' ? 'hourly' : 'none');
    await mention(ada, linus);
    if (time !== 'before it is planned') await planMails(workspace);
    await prevent();
    await mailAll(workspace);
    await mailDigests(workspace);
    workspace.setTime(undefined);
    await undo?.();
    expect(await mailsOf(workspace, linus)).toEqual([]);
    expect(await openJobs(workspace.table)).toEqual([]);
  });
});

describe('a digest', () => {
  it('has what came in an hour and is not read, once', async () => {
    await wants(grace, { comment_mentioned: mailed, task_assigned: mailed }, 'hourly');
    await mention(ada, grace);
    await mention(linus, grace);
    const task = { name: 'Call', assigned_user_id: grace.user.id };
    await ada.api.createTask({ body: { task } });
    await mailAll(workspace);
    expect(await mailsOf(workspace, grace)).toEqual([]);
    expect(await waitingDigests(workspace)).toHaveLength(1);
    const { records } = (await grace.api.listNotifications()).body.collection;
    const read = records.find(({ prompting_user_id }) => prompting_user_id === linus.user.id);
    await grace.api.markNotificationRead({ params: { id: read?.id as string } });
    await mailDigests(workspace);
    await mailDigests(workspace);
    const mails = await mailsOf(workspace, grace);
    expect(mails.map(({ subject }) => subject)).toEqual(['2 new notifications']);
    expect(mails[0]?.text).toMatch(
      /- Ada Lovelace mentioned you: Moira Bell\n {2}https:.*\n- Ada Lovelace assigned a task to you: Call\n {2}https:/,
    );
    expect(mails[0]?.text).toContain('https://app.acme.example/notifications\n');
    expect(mails[0]?.text).not.toContain('Linus');
    unsubscribeUrlOf(mails[0] as never);
    expect(await waitingDigests(workspace)).toEqual([]);
  });

  longIt('comes once an hour: what comes after it waits for the next', async () => {
    await wants(grace, { comment_mentioned: mailed }, 'hourly');
    const start = Date.now();
    for (let hour = 0; hour < 3; hour++) {
      workspace.setTime(new Date(start + hour * 3_600_000));
      await mention(ada, grace);
      await planMails(workspace);
      const [{ at } = { at: 0 }] = await waitingDigests(workspace);
      expect(at - Date.now() - hour * 3_600_000).toBeGreaterThan(2 * 60_000);
      expect(at - start - hour * 3_600_000).toBeLessThanOrEqual(63 * 60_000);
      await mailDigests(workspace, at);
    }
    const subjects = (await mailsOf(workspace, grace)).map(({ subject }) => subject);
    expect(subjects).toEqual(Array(3).fill('Ada Lovelace mentioned you: Moira Bell'));
  });

  longIt('has a hundred lines at most, and says that there are more', async () => {
    await wants(grace, { task_reminder: mailed }, 'hourly');
    const user_id = grace.user.id;
    const { task } = (await ada.api.createTask({ body: { task: { name: 'Call', visibility: 'account' } } }))
      .body;
    const now = Date.now();
    const ids = await givenNotifications(
      workspace,
      grace,
      Array(MAX_LINES + 20).fill('task_reminder'),
      new Date(now),
    );
    for (const id of ids)
      await workspace.table.update(keys.notification(user_id, id), {
        set: { payload: { id: task.id, record_type: 'task', name: 'Call' } } as never,
      });
    for (const part of [ids.slice(0, 60), ids.slice(60, MAX_LINES), ids.slice(MAX_LINES)]) {
      const due_mails = part.map((notification_id) => ({ user_id, notification_id }));
      const job: SendingJob = {
        ...newJob('push-notifications', {}, new Date()),
        ...{ account_id: workspace.account_id, due_pushes: [], due_mails },
      };
      await workspace.table.put(job);
      expect(await planMails(workspace)).toBe(0);
    }
    await mailDigests(workspace);
    const [mail] = await mailsOf(workspace, grace);
    expect(mail?.subject).toBe(`${MAX_LINES} or more new notifications`);
    expect(mail?.text).toContain('There are more in the app.');
    expect(mail?.text?.match(/^- /gm)).toHaveLength(MAX_LINES);
  });
});

describe('planned and sent', () => {
  longIt('in one transaction for all that one transaction can have', async () => {
    await wants(grace, { task_reminder: mailed });
    const ids = await givenNotifications(workspace, grace, Array(98).fill('task_reminder'), new Date());
    const due_mails = ids.map((notification_id) => ({ user_id: grace.user.id, notification_id }));
    const job = newJob('push-notifications', {}, new Date());
    const { account_id } = workspace;
    await workspace.table.put({ ...job, account_id, due_pushes: [], due_mails });
    expect(await planMails(workspace)).toBe(0);
    expect(await openJobs(workspace.table, 'mail-notifications')).toHaveLength(98);
  });

  longIt('once, in any order and delivered twice or at once', async () => {
    await wants(grace, { comment_mentioned: mailed });
    await wants(linus, { comment_mentioned: mailed }, 'hourly');
    await mention(ada, grace, linus);
    const [job] = await openJobs(workspace.table, 'push-notifications');
    const body = { job_id: job?.id };
    await Promise.all([1, 2, 3].map(() => deliverMessages(planning, [body])));
    await deliverMessages(planning, [body, body]);
    const [mail, ...others] = await openJobs(workspace.table, 'mail-notifications');
    expect(others).toEqual([]);
    await Promise.all([1, 2, 3].map(() => deliverMessages(handler, [{ job_id: mail?.id }])));
    workspace.setTime(new Date(Date.now() + 3_900_000));
    await Promise.all([1, 2, 3].map(() => dueWork()));
    await sendNotificationMails(workspace);
    await dueWork();
    await sendNotificationMails(workspace);
    expect(await mailsOf(workspace, grace)).toHaveLength(1);
    expect(await mailsOf(workspace, linus)).toHaveLength(1);
  });

  longIt('once, whichever call fails on the way to the mail job', async () => {
    await wants(grace, { comment_mentioned: mailed });
    await wants(linus, { comment_mentioned: mailed }, 'hourly');
    for (const step of ['plan', 'digest'] as const)
      for (let nth = 0, hit = true; hit; nth += STRIDE) {
        await mention(ada, grace, linus);
        const [job] = await openJobs(workspace.table, 'push-notifications');
        const run = () => deliverMessages(planning, [{ job_id: job?.id }]);
        const due = () => dueWork().catch(() => {});
        if (step === 'digest') {
          await run();
          workspace.setTime(new Date(Date.now() + 3_900_000));
        }
        const fault = failNth(workspace.table, nth);
        await (step === 'plan' ? run() : due());
        fault.remove();
        hit = fault.hit;
        await run();
        workspace.setTime(new Date(Date.now() + 3_900_000));
        await due();
        const jobs = await openJobs(workspace.table);
        expect(jobs.map(({ queue }) => queue)).toEqual(['mail-notifications', 'mail-notifications']);
        expect(await waitingDigests(workspace)).toEqual([]);
        for (const each of jobs) await workspace.table.delete(keyOf(each));
        workspace.setTime(undefined);
      }
  });

  it('grows while it is due, and loses nothing', async () => {
    await wants(linus, { comment_mentioned: mailed }, 'hourly');
    await mention(ada, linus);
    await planMails(workspace);
    const [digest] = await waitingDigests(workspace);
    const { mailDigest } = await import('#shared/domain/collaboration/notifications/mails/digest.ts');
    await mention(grace, linus);
    await planMails(workspace);
    // What the run had read is older than what is there.
    await mailDigest(workspace.ctx, digest as never);
    expect(await openJobs(workspace.table)).toEqual([]);
    await mailDigests(workspace);
    expect((await mailsOf(workspace, linus))[0]?.subject).toBe('2 new notifications');
  });

  it('again after a failure of the server, and not for ever', async () => {
    await wants(grace, { comment_mentioned: mailed });
    await mention(ada, grace);
    await planMails(workspace);
    const fails = async () => {
      throw new Error('busy');
    };
    workspace.ctx.stand_ins = { sendMail: fails };
    expect(await sendNotificationMails(workspace)).toBe(1);
    workspace.ctx.stand_ins = {};
    expect(await sendNotificationMails(workspace)).toBe(0);
    expect(await mailsOf(workspace, grace)).toHaveLength(1);

    const data = { account_id: newId(new Date()), user_id: newId(new Date()), notification_id: 'x' };
    await workspace.table.put({ ...mailJob(notificationMail, data, new Date()), due: 0, sends: 6 });
    const written = await logged(() => sweep());
    expect(linesOf(written, 'mail given up')).toHaveLength(1);
    expect(await openJobs(workspace.table)).toEqual([]);
  });

  it('survives poison: unknown jobs and people complete, unknown kinds are left to the dead letters', async () => {
    const now = new Date();
    const [account_id, user_id, notification_id] = [newId(now), newId(now), newId(now)];
    const nobody = mailJob(notificationMail, { account_id, user_id, notification_id }, now);
    const unknown = mailJob({ name: 'one_time_code', queue: 'mail-notifications' }, {}, now);
    const plan = newJob('push-notifications', {}, now);
    const due_mails = [{ user_id, notification_id }];
    await workspace.table.transact([
      { put: nobody },
      { put: unknown },
      { put: { ...plan, account_id, due_pushes: [], due_mails } },
    ]);
    const bodies = [{ job_id: newId(now) }, { job_id: nobody.id }, { job_id: unknown.id }];
    expect(await deliverMessages(handler, bodies)).toEqual({ failed: ['m2'] });
    expect(await deliverMessages(planning, [{ job_id: plan.id }])).toEqual({ failed: [] });
    await workspace.table.delete(keyOf(unknown));
    expect(await sendNotificationMails(workspace)).toBe(0);
    expect(await openJobs(workspace.table)).toEqual([]);
  });
});
