import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { notificationEvents } from '#shared/domain/collaboration/notifications/event.ts';
import type { Notification } from '#shared/domain/collaboration/notifications/notification.ts';
import type { SendingJob } from '#shared/domain/collaboration/notifications/sending/job.ts';
import { messageOf } from '#shared/domain/collaboration/notifications/sending/message.ts';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { webPush } from '#shared/providers/push/web.ts';
import { keys } from '#shared/table/keys.ts';
import { handler } from '../../functions/queues/push-notifications.ts';
import { givenDevice, webSubscription } from '../support/devices.ts';
import { givenCalendar, shareMailbox } from '../support/events.ts';
import { deliverMessages, openJobs } from '../support/jobs.ts';
import { longIt } from '../support/long.ts';
import { vapid } from '../support/push-keys.ts';
import { decrypted, startWebService } from '../support/push-servers.ts';
import { startWorkspace, type TestUser, type Workspace } from '../support/workspace.ts';

/** From what a user does to what the browser of another one shows. */
describe('queue push-notifications', () => {
  let workspace: Workspace;
  let service: Awaited<ReturnType<typeof startWebService>>;
  let contact_id: string;
  beforeAll(async () => {
    service = await startWebService();
    workspace = await startWorkspace({ own_table: true });
    const web = webPush(vapid, service.request);
    workspace.ctx.stand_ins = { push_services: () => ({ web }) };
    const contact = { name: 'Moira Bell' };
    contact_id = (await workspace.ada.api.createContact({ body: { contact } })).body.contact.id;
  });
  beforeEach(() => {
    service.received.length = 0;
    service.answers.length = 0;
  });
  afterEach(async () => {
    workspace.setTime(undefined);
    for (const user of [workspace.ada, workspace.grace, workspace.linus])
      for (const { id } of (await user.session.listDeviceTokens()).body.device_tokens)
        await user.session.deleteDeviceToken({ params: { id } });
    for (const { PK, SK } of await jobs()) await workspace.table.delete({ PK, SK });
  });
  afterAll(async () => {
    await workspace?.stop();
    await service?.close();
  });

  let made = 0;
  async function givenBrowser(user: TestUser) {
    const { subscription, browser, auth } = webSubscription(`${service.origin}/browser-${++made}`);
    const device = await givenDevice(user, 'web', JSON.stringify(subscription));
    return {
      ...device,
      path: `/browser-${made}`,
      shown: () =>
        service.received
          .filter(({ path }) => path === new URL(subscription.endpoint).pathname)
          .map(({ body }) => decrypted(body, browser, auth)),
    };
  }
  const jobs = () => openJobs<SendingJob>(workspace.table, 'push-notifications');
  /** How many messages of the queue failed. */
  const work = async () => {
    const bodies = (await jobs()).map(({ id }) => ({ job_id: id }));
    return (await deliverMessages(handler, bodies)).failed.length;
  };
  const mention = (author: TestUser, ...users: TestUser[]) =>
    author.api.createComment({
      params: { record_type: 'contacts', record_id: contact_id },
      body: { comment: { html_content: 'A secret', mentioned_user_ids: users.map(({ user }) => user.id) } },
    });
  const change = ({ user }: TestUser, set: Partial<User>) =>
    workspace.table.update<User>(keys.user(user.account_id, user.id), { set });
  const devicesOf = async ({ session }: TestUser) => (await session.listDeviceTokens()).body.device_tokens;

  it('every device of the user shows what happened, and nothing of what was written', async () => {
    const { ada, grace } = workspace;
    const browsers = [await givenBrowser(grace), await givenBrowser(grace)];
    const other = await givenBrowser(ada);
    const { comment } = (await mention(ada, grace)).body;
    expect(await jobs()).toHaveLength(1);
    expect(await work()).toBe(0);
    const [notification] = (await grace.reader.listNotifications()).body.collection.records;
    expect(notification?.payload).toMatchObject({ comment: { id: comment.id } });
    const shown = {
      title: 'Ada Lovelace mentioned you',
      body: 'Moira Bell',
      tag: notification?.id,
      data: {
        notification_id: notification?.id,
        ...{ event: 'comment_mentioned', record_type: 'contact', record_id: contact_id },
      },
    };
    for (const browser of browsers) expect(browser.shown()).toEqual([shown]);
    expect(other.shown()).toEqual([]);
    expect(await jobs()).toEqual([]);
    for (const { last_used_at } of await devicesOf(grace)) expect(last_used_at).not.toBeNull();
    expect((await devicesOf(ada))[0]?.last_used_at).toBeNull();
  });

  it('without a device, or with none of who is told, there is no job', async () => {
    const { ada, grace, linus } = workspace;
    await givenBrowser(linus);
    await mention(ada, grace);
    const task = { name: 'Call', assigned_user_id: grace.user.id };
    await ada.api.createTask({ body: { task } });
    expect(await jobs()).toEqual([]);
  });

  const actions: [event: string, title: string, act: (ada: TestUser, grace: TestUser) => Promise<unknown>][] =
    [
      [
        'task_assigned',
        'Ada Lovelace assigned a task to you',
        ({ api }, { user }) =>
          api.createTask({ body: { task: { name: 'Call', assigned_user_id: user.id } } }),
      ],
      [
        'deal_assigned',
        'Ada Lovelace assigned a deal to you',
        ({ api }, { user }) =>
          api.createDeal({ body: { deal: { name: 'Boats', assigned_user_id: user.id } } }),
      ],
      [
        'contact_shared',
        'Ada Lovelace shared a contact with you',
        ({ api }, { user }) =>
          api.createShare({
            params: { record_type: 'contacts', record_id: contact_id },
            body: { share: { user_id: user.id } },
          }),
      ],
      [
        'mailbox_shared',
        'Ada Lovelace shared a mailbox with you',
        async (ada, grace) => shareMailbox(ada, (await givenCalendar(workspace, ada)).mailbox_id, grace),
      ],
    ];
  longIt.each(actions)('%s', async (event, title, act) => {
    const { ada, grace } = workspace;
    const browser = await givenBrowser(grace);
    await act(ada, grace);
    expect(await work()).toBe(0);
    expect(browser.shown()).toMatchObject([{ title, data: { event } }]);
  });

  const reasons: [reason: string, prevent: () => Promise<unknown>, undo?: () => Promise<unknown>][] = [
    [
      'hidden since',
      () =>
        workspace.ada.api.updateContact({
          params: { id: contact_id },
          body: { contact: { visibility: 'private' } },
        }),
      () =>
        workspace.ada.api.updateContact({
          params: { id: contact_id },
          body: { contact: { visibility: 'account' } },
        }),
    ],
    ['read since', () => workspace.linus.api.markAllNotificationsRead()],
    ['dismissed since', () => workspace.linus.api.dismissNotifications({ body: { global: true } })],
    [
      'turned off since',
      () =>
        change(workspace.linus, {
          notification_settings: { comment_mentioned: { push: false, email: true } },
        }),
      () => change(workspace.linus, { notification_settings: {} }),
    ],
    [
      'of a deactivated user',
      () => change(workspace.linus, { status: 'deactivated' }),
      () => change(workspace.linus, { status: 'active' }),
    ],
    [
      'of a closed account',
      () =>
        workspace.table.update<Account>(keys.account(workspace.account_id), { set: { status: 'closed' } }),
      () =>
        workspace.table.update<Account>(keys.account(workspace.account_id), { set: { status: 'active' } }),
    ],
  ];
  it.each(reasons)('sends nothing of what is %s', async (_, prevent, undo) => {
    const { ada, linus } = workspace;
    const browser = await givenBrowser(linus);
    await mention(ada, linus);
    await prevent();
    expect(await work()).toBe(0);
    await undo?.();
    expect(browser.shown()).toEqual([]);
    expect(await jobs()).toEqual([]);
  });

  it('an event that is turned off makes no job; others do', async () => {
    const { ada, grace } = workspace;
    await givenBrowser(grace);
    await change(grace, { notification_settings: { comment_mentioned: { push: false, email: false } } });
    await mention(ada, grace);
    expect(await jobs()).toEqual([]);
    await change(grace, { notification_settings: { comment_added: { push: false, email: false } } });
    await mention(ada, grace);
    expect(await jobs()).toHaveLength(1);
    await change(grace, { notification_settings: {} });
  });

  it('a device that is gone is deleted, and one that moved is left alone', async () => {
    const { ada, grace, hank } = workspace;
    const [gone, stays] = [await givenBrowser(grace), await givenBrowser(grace)];
    const moved = webSubscription(`${service.origin}/moved`).subscription;
    await givenDevice(grace, 'web', JSON.stringify(moved));
    await mention(ada, grace);
    const { id } = await givenDevice(hank, 'web', JSON.stringify(moved));
    service.answers.push({ status: 410 });
    expect(await work()).toBe(0);
    expect(service.received).toHaveLength(2);
    const left = (await devicesOf(grace)).map((device) => device.id);
    expect([[gone.id], [stays.id]]).toContainEqual(left);
    await hank.session.deleteDeviceToken({ params: { id } });
  });

  longIt('a failure is tried again for that device alone, five times at most', async () => {
    const { ada, grace } = workspace;
    await givenBrowser(grace);
    await givenBrowser(grace);
    await mention(ada, grace);
    service.answers.push({ status: 503 });
    expect(await work()).toBe(1);
    expect(service.received).toHaveLength(2);
    for (let tries = 2; tries <= 4; tries++) {
      service.answers.push({ status: 429 });
      expect(await work()).toBe(1);
    }
    service.answers.push({ status: 503 });
    expect(await work()).toBe(0);
    expect(service.received).toHaveLength(6);
    expect(await jobs()).toEqual([]);
    expect(await devicesOf(grace)).toHaveLength(2);
  });

  it('a message that comes twice, also at once, is harmless', async () => {
    const { ada, grace } = workspace;
    const browser = await givenBrowser(grace);
    await mention(ada, grace);
    const [job] = (await jobs()) as [SendingJob];
    const body = { job_id: job.id };
    expect((await deliverMessages(handler, [body])).failed).toEqual([]);
    expect((await deliverMessages(handler, [body, body])).failed).toEqual([]);
    expect(browser.shown()).toHaveLength(1);
  });

  it('what the sweep delivers later is pushed as well', async () => {
    const { ada, grace } = workspace;
    const browser = await givenBrowser(grace);
    const { handler: deliver } = await import('../../functions/queues/deliver-notifications.ts');
    await mention(ada, grace);
    const [job] = (await jobs()) as [SendingJob];
    await workspace.table.delete({ PK: job.PK, SK: job.SK });
    const { notificationsOf } = await import('#shared/domain/collaboration/notifications/emit.ts');
    const told = [{ event: 'comment_added' as const, user_ids: [grace.user.id, workspace.linus.user.id] }];
    const record = { type: 'contacts' as const, id: contact_id, label: { name: 'Moira Bell' } };
    const occurrence = { account_id: workspace.account_id, record, actor_id: null, told };
    const { writes, jobs: deliveries } = await notificationsOf(workspace.ctx, occurrence, 2);
    expect(writes.length + deliveries.length).toBeLessThanOrEqual(2);
    await workspace.table.transact([...writes, ...deliveries.map((put) => ({ put }))]);
    await deliverMessages(
      deliver,
      deliveries.map(({ id }) => ({ job_id: id })),
    );
    expect(await work()).toBe(0);
    expect(browser.shown()).toMatchObject([{ title: 'A new comment', body: 'Moira Bell' }]);
  });

  it('says in words what happened, for every event', () => {
    const notification = {
      id: contact_id,
      payload: { id: contact_id, record_type: 'task', name: '🚢'.repeat(300) },
    };
    for (const event of notificationEvents) {
      const of = (who?: string) =>
        messageOf({ ...notification, event } as unknown as Notification, { who, label: undefined });
      expect(of().title).toMatch(/^(A|An|You) [a-z ]+$/);
      expect(of('Ada').title).toMatch(/^Ada [a-z ]+$/);
      expect([...of().body]).toHaveLength(120);
    }
  });
});
