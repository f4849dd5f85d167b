import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockMailbox, TOLD_AT_ONCE, unlockMailbox } from '#shared/domain/mail/mailboxes/lock.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { sizeOf } from '#shared/domain/platform/jobs/commit.ts';
import { keys } from '#shared/table/keys.ts';
import { handler as deliver } from '../../../../functions/queues/deliver-notifications.ts';
import { CaldavServer } from '../../../support/caldav-server.ts';
import { connect, givenSynced, syncNow } from '../../../support/calendar-sync.ts';
import { codeOf } from '../../../support/failures.ts';
import { givenGroup } from '../../../support/groups.ts';
import { deliverMessages, openJobs } from '../../../support/jobs.ts';
import { mailDigests, mailsOf, planMails } from '../../../support/notification-mail.ts';
import { givenColleagues, storedNotifications } from '../../../support/notifications.ts';
import { onMailbox } from '../../../support/shares.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** docs/specification/notifications.md, "Events" */
describe('a mailbox that is locked', () => {
  let workspace: Workspace;
  let server: CaldavServer;
  let mailbox_id: string;
  let colleagues: string[];
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    const { ada, grace, linus } = workspace;
    server = await new CaldavServer().start();
    server.calendar('Ferries');
    mailbox_id = await givenSynced(workspace, ada, server);
    colleagues = await givenColleagues(workspace, ada, 20);
    const group = await givenGroup(ada, [grace]);
    const user_ids = [grace.user.id, ...colleagues];
    await ada.api.updateGroup({ params: { id: group.id }, body: { group: { user_ids } } });
    await ada.api.createShare({ params: onMailbox(mailbox_id), body: { share: { group_id: group.id } } });
    const notification_settings = { mailbox_locked: { email: true, push: true } };
    await grace.session.updateUser({
      params: { id: grace.user.id },
      body: { user: { notification_settings } },
    });
    expect(await codeOf(linus.reader.retrieveMailbox({ params: { id: mailbox_id } }))).toBe(
      '404 record_not_found',
    );
  });
  afterAll(async () => {
    await server.stop();
    await workspace.stop();
  });

  const sync = () => syncNow(workspace, workspace.ada, mailbox_id);
  const deliverAll = async () => {
    const jobs = await openJobs(workspace.table, 'deliver-notifications');
    await deliverMessages(
      deliver,
      jobs.map(({ id }) => ({ job_id: id })),
    );
  };
  const slice = 'mailbox_locked,mailbox_unlocked';
  const told = async (user: TestUser) =>
    (await user.reader.listNotifications({ query: { slice } })).body.collection.records;
  const events = async (user: TestUser) => (await told(user)).map(({ event }) => event);
  const stored = async () => {
    const found = await workspace.table.get<Mailbox>(keys.mailbox(workspace.account_id, mailbox_id));
    return found as Mailbox;
  };

  it('is told to its owner and to all whom it is shared with, once', async () => {
    const { ada, grace, linus } = workspace;
    server.password = 'another password';
    for (let i = 0; i < 3; i++) {
      expect(await events(ada)).toEqual([]);
      // When the server is asked again.
      workspace.setTime(new Date(Date.now() + i * 600_000));
      await sync();
    }
    workspace.setTime(undefined);
    await deliverAll();
    expect(await told(ada)).toMatchObject([
      {
        event: 'mailbox_locked',
        prompting_user_id: null,
        payload: {
          ...{ id: mailbox_id, record_type: 'mailbox' },
          ...{ name: expect.any(String), email_address: (await stored()).email_address },
        },
      },
    ]);
    expect(await events(grace)).toEqual(['mailbox_locked']);
    expect(await events(linus)).toEqual([]);
    const inside = (id: string) => storedNotifications(workspace, id);
    for (const id of colleagues)
      expect((await inside(id)).map(({ event }) => event)).toEqual(['mailbox_shared', 'mailbox_locked']);
  });

  it('goes out by mail to who wants that', async () => {
    await planMails(workspace);
    await mailDigests(workspace);
    const [mail] = await mailsOf(workspace, workspace.grace);
    expect(mail?.text).toContain('A mailbox is locked');
    expect(await mailsOf(workspace, workspace.ada)).toEqual([]);
    workspace.setTime(undefined);
  });

  it('is not locked again', async () => {
    const { ctx, ada } = workspace;
    const before = await stored();
    expect(await codeOf(ada.api.syncMailbox({ params: { mailbox_id }, body: {} }))).toBe(
      '422 mailbox_locked',
    );
    const turn = await lockMailbox(ctx, before, { code: 'other', message: 'Other.' });
    expect(turn).toMatchObject({ set: {}, remove: [], told: { writes: [], jobs: [] } });
    expect(await events(ada)).toEqual(['mailbox_locked']);
  });

  it('tells few in the transaction itself, and that two who lock at once tell once', async () => {
    const { ctx, ada } = workspace;
    const { lock, ...rest } = await stored();
    const turn = await lockMailbox(ctx, { ...rest, status: 'active' } as Mailbox, {
      code: 'x',
      message: 'X.',
    });
    expect(turn).toMatchObject({ set: { status: 'locked' }, when: { status: 'active' } });
    expect(sizeOf(turn.told)).toBeLessThanOrEqual(TOLD_AT_ONCE);
    expect(await events(ada)).toEqual(['mailbox_locked']);
  });

  it('works again with credentials that work: all others are told', async () => {
    const { ada, grace, ctx } = workspace;
    workspace.setTime(new Date(Date.now() + 3_600_000));
    const wrong = connect(ada, mailbox_id, { url: server.url, password: 'wrong password' });
    expect(await codeOf(wrong)).toBe('400 invalid_request');
    const again = connect(ada, mailbox_id, { url: server.url, password: server.password });
    expect((await again).body.mailbox).toMatchObject({ status: 'active', lock: null });
    await deliverAll();
    expect(await events(ada)).toEqual(['mailbox_locked']);
    expect(await told(grace)).toMatchObject([
      { event: 'mailbox_unlocked', prompting_user_id: ada.user.id },
      { event: 'mailbox_locked' },
    ]);
    expect(await unlockMailbox(ctx, await stored(), ada.user.id)).toMatchObject({ set: {}, remove: [] });
    await connect(ada, mailbox_id, { url: server.url, password: server.password });
    expect(await events(grace)).toHaveLength(2);
    workspace.setTime(undefined);
  });

  it('one refusal does not lock it again', async () => {
    server.password = 'a third password';
    await sync();
    expect((await stored()).status).toBe('active');
  });
});
