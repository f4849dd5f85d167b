import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Job } from '#shared/domain/platform/jobs/job.ts';
import { handler as doDueWork } from '../../../functions/queues/do-due-work.ts';
import { handler } from '../../../functions/queues/sync-calendars.ts';
import { CaldavServer } from '../../support/caldav-server.ts';
import { givenSynced, runSync } from '../../support/calendar-sync.ts';
import { allEvents, shareMailbox } from '../../support/events.ts';
import { codeOf } from '../../support/failures.ts';
import { calendarFile, vevent } from '../../support/ics.ts';
import { deliverMessages, openJobs } from '../../support/jobs.ts';
import { longIt } from '../../support/long.ts';
import { givenMailbox } from '../../support/mail.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /mailboxes/{mailbox_id}/sync', () => {
  let workspace: Workspace;
  let server: CaldavServer;
  let mailbox_id: string;
  let path: string;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    server = await new CaldavServer().start();
    path = server.calendar('Ferries');
    mailbox_id = await givenSynced(workspace, workspace.ada, server);
  });
  afterAll(async () => {
    workspace.setTime(undefined);
    await server.stop();
    await workspace.stop();
  });

  const sync = (user: TestUser, body: { full?: boolean } = {}, id = mailbox_id) =>
    user.api.syncMailbox({ params: { mailbox_id: id }, body });
  const jobs = () => openJobs<Job>(workspace.table, 'sync-calendars');
  const names = async () =>
    (await allEvents(workspace.ada, { mailbox_id, starts_after: '2026-11-01T00:00:00Z' })).map(
      ({ name }) => name,
    );
  const put = (uid: string, name: string) =>
    server.write(`${path}${uid}.ics`, calendarFile([vevent(uid, `SUMMARY:${name}`)]));

  it('202: one job, however often it is asked for', async () => {
    const { body } = await sync(workspace.ada);
    expect(body.mailbox).toMatchObject({ id: mailbox_id, calendar_sync: true });
    await sync(workspace.ada, { full: true });
    expect(await jobs()).toHaveLength(1);
    await runSync(workspace);
    expect(await jobs()).toEqual([]);
  });

  it('403 with view access, 404 without any; a mailbox without calendars stays as it is', async () => {
    const { ada, grace, linus, hank } = workspace;
    await shareMailbox(ada, mailbox_id, linus);
    expect(await codeOf(sync(linus))).toBe('403 permission_denied');
    for (const user of [grace, hank]) expect(await codeOf(sync(user))).toBe('404 record_not_found');
    await shareMailbox(ada, mailbox_id, grace, 'edit');
    expect((await sync(grace)).status).toBe(202);
    await runSync(workspace);
    const other = await givenMailbox(workspace, ada, workspace.account_id);
    expect((await sync(ada, {}, other)).body.mailbox).toMatchObject({ calendar_sync: false });
    expect(await jobs()).toEqual([]);
  });

  it('one worker at a time: another one leaves it alone, and two that follow each other read once', async () => {
    put('a', 'A');
    await sync(workspace.ada);
    const [job] = await jobs();
    const message = { job_id: job?.id, ...job?.body };
    const results = await Promise.all([1, 2, 3].map(() => deliverMessages(handler, [message], 200_000)));
    expect(results.filter(({ failed }) => failed.length === 0).length).toBeGreaterThan(0);
    await runSync(workspace);
    expect(await names()).toEqual(['A']);
  });

  it('a run whose time is up goes on where it was', async () => {
    for (const each of ['b', 'c']) put(each, each.toUpperCase());
    await sync(workspace.ada);
    const [job] = await jobs();
    await deliverMessages(handler, [{ job_id: job?.id, ...job?.body }], 1_000);
    expect(await jobs()).toHaveLength(1);
    await runSync(workspace);
    expect((await names()).sort()).toEqual(['A', 'B', 'C']);
  });

  longIt('it is read again every ten minutes, by one chain of readings', async () => {
    for (let i = 0; i < 3; i++) {
      await sync(workspace.ada);
      await runSync(workspace);
    }
    put('d', 'D');
    workspace.setTime(new Date(Date.now() + 11 * 60_000));
    await doDueWork();
    expect(await jobs()).toHaveLength(1);
    await runSync(workspace);
    expect((await names()).sort()).toEqual(['A', 'B', 'C', 'D']);
    await doDueWork();
    expect(await jobs()).toEqual([]);
    workspace.setTime(undefined);
  });

  it('not again while the server refuses the password, until it is due', async () => {
    const { ada } = workspace;
    const { password } = server;
    server.password = 'another password';
    for (let i = 0; i < 4; i++) {
      await sync(ada);
      await runSync(workspace);
    }
    const { body } = await ada.reader.retrieveMailbox({ params: { id: mailbox_id } });
    expect(body.mailbox.status).toBe('active');
    server.password = password;
    put('e', 'E');
    workspace.setTime(new Date(Date.now() + 3 * 60_000));
    await sync(ada);
    await runSync(workspace);
    expect(await names()).toContain('E');
    workspace.setTime(undefined);
  });

  it('not once it is switched off, nor for an owner who left', async () => {
    const { ada } = workspace;
    await ada.api.updateMailbox({ params: { id: mailbox_id }, body: { mailbox: { calendar_sync: false } } });
    workspace.setTime(new Date(Date.now() + 30 * 60_000));
    await doDueWork();
    expect(await jobs()).toEqual([]);
    workspace.setTime(undefined);
    expect(
      (await ada.reader.retrieveMailbox({ params: { id: mailbox_id } })).body.mailbox.calendar_sync,
    ).toBe(false);
  });
});
