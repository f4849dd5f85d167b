import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { calendarIdOf } from '#shared/domain/calendar/calendars/store.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { mailboxAddresses } from '#shared/domain/mail/mailboxes/addresses.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { removeMailbox } from '#shared/domain/mail/threads/withdraw-mailbox.ts';
import type { Job } from '#shared/domain/platform/jobs/job.ts';
import { keys } from '#shared/table/keys.ts';
import { crashAfter } from '../../support/faults.ts';
import { openJobs } from '../../support/jobs.ts';
import { longIt, STRIDE } from '../../support/long.ts';
import { eml, givenMailbox, importMail, listAllThreads } from '../../support/mail.ts';
import { givenSyncedMailbox } from '../../support/synced-thread.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

const NOT_FOUND = { status: 404, code: 'record_not_found' };

describe('DELETE /mailboxes/{id}', () => {
  let workspace: Workspace;
  let [box, run] = ['', 0];
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
  });
  afterAll(() => workspace?.stop());

  const mail = (n: number) => eml({ id: `${n}-${run}@x`, subject: `Winch${run}-${n}`, text: `Text ${n}.` });

  /** Grace's, with three messages. */
  beforeEach(async () => {
    run++;
    box = await givenMailbox(workspace, workspace.grace);
    await importMail(workspace, workspace.grace, box, [1, 2, 3].map(mail));
  });

  const remove = ({ session }: TestUser, query?: { keep_threads: boolean }, id = box) =>
    session.deleteMailbox({ params: { id }, ...(query ? { query } : {}) });
  const found = async ({ reader }: TestUser) =>
    (await listAllThreads(reader, { query: `winch${run}` })).map(({ subject }) => subject).sort();
  const all = () => [1, 2, 3].map((n) => `Winch${run}-${n}`);
  const jobs = async () =>
    (await openJobs<Job>(workspace.table, 'index-threads')).filter(
      ({ body }) => (body as { deleted_mailbox_id?: string }).deleted_mailbox_id === box,
    );
  /** The job, and the one that it leaves for later. */
  const finish = async () => {
    for (let round = 0; round < 2; round++)
      for (const job of await jobs()) await removeMailbox(workspace.ctx, job, () => false);
    expect(await jobs()).toEqual([]);
  };

  it('204: nobody finds it, and its mail stays with those who had access', async () => {
    const { grace, linus, reader } = { ...workspace, reader: workspace.grace.reader };
    const params = { record_type: 'mailboxes' as const, record_id: box };
    await grace.api.createShare({ params, body: { share: { user_id: linus.user.id } } });
    expect((await remove(grace)).status).toBe(204);
    await finish();
    for (const request of [
      () => reader.retrieveMailbox({ params: { id: box } }),
      () => grace.api.updateMailbox({ params: { id: box }, body: { mailbox: { name: 'New' } } }),
      () => grace.api.listShares({ params }),
      () => reader.listMailImports({ params: { mailbox_id: box } }),
      () => reader.listThreads({ query: { mailbox_id: box } }),
      () => reader.countThreads({ query: { mailbox_id: box } }),
      () => reader.listDrafts({ query: { mailbox_id: box } }),
      () => reader.listCalendars({ query: { mailbox_id: box } }),
      () => reader.listCalendarEvents({ query: { mailbox_id: box } }),
      () => reader.listCalendarEvents({ query: { calendar_id: calendarIdOf(box) } }),
      () =>
        grace.api.updateUser({ params: { id: grace.user.id }, body: { user: { primary_mailbox_id: box } } }),
      () => remove(grace),
    ])
      await expect(request()).rejects.toMatchObject(NOT_FOUND);
    const { records } = (await reader.listMailboxes()).body.collection;
    expect(records.map(({ id }) => id)).not.toContain(box);
    for (const user of [grace, linus]) expect(await found(user)).toEqual(all());
  });

  it('removes what signs in at its servers, and its part in the settings of its owner', async () => {
    const { grace, table, account_id } = workspace;
    const synced = await givenSyncedMailbox(workspace, grace);
    const owner = keys.user(account_id, grace.user.id);
    const { email_address } = grace.user;
    await table.transact([mailboxAddresses.take(account_id, email_address, synced)]);
    await table.update<User>(owner, { set: { primary_mailbox_id: synced } });
    await remove(grace, undefined, synced);
    const stored = await table.get<Mailbox>(keys.mailbox(account_id, synced));
    expect(stored).not.toHaveProperty('mail_server');
    expect(JSON.stringify(stored)).not.toContain('imap.acme.example');
    const user = await table.get<User>(owner);
    expect(user?.primary_mailbox_id).not.toBe(synced);
    expect(user?.label_sync_mailbox_ids?.has(synced) ?? false).toBe(false);
  });

  longIt('keep_threads=false: its messages leave it, also those that were kept first', async () => {
    const { grace } = workspace;
    await remove(grace);
    await finish();
    expect(await found(grace)).toEqual(all());
    expect((await remove(grace, { keep_threads: false })).status).toBe(204);
    await finish();
    expect(await found(grace)).toEqual([]);
  });

  longIt('keep_threads=false: what other mailboxes have stays', async () => {
    const { grace, linus } = workspace;
    const other = await givenMailbox(workspace, linus);
    await importMail(workspace, linus, other, [mail(2)]);
    await remove(grace, { keep_threads: false });
    await finish();
    expect([await found(grace), await found(linus)]).toEqual([[], [`Winch${run}-2`]]);
  });

  longIt('what a worker stores that was still reading goes with the second job', async () => {
    const { grace } = workspace;
    await remove(grace, { keep_threads: false });
    const [first] = await jobs();
    await removeMailbox(workspace.ctx, first as Job, () => false);
    await importMail(workspace, grace, box, [mail(2)]);
    const [second] = await jobs();
    expect((second?.due ?? 0) - Date.now()).toBeGreaterThan(15 * 60_000);
    await finish();
    expect(await found(grace)).toEqual([]);
  });

  it('is for its owner and admins: 403 for others who see it, 404 for all others', async () => {
    const { grace, linus, ada, hank } = workspace;
    await expect(remove(linus)).rejects.toMatchObject(NOT_FOUND);
    await expect(remove(hank)).rejects.toMatchObject(NOT_FOUND);
    const params = { record_type: 'mailboxes' as const, record_id: box };
    const share = { user_id: linus.user.id, access: 'edit' as const };
    await grace.api.createShare({ params, body: { share } });
    await expect(remove(linus)).rejects.toMatchObject({ status: 403, code: 'permission_denied' });
    expect((await remove(ada)).status).toBe(204);
  });

  it('400 for a value that is no boolean, and nothing is lost', async () => {
    const query = { keep_threads: 'no' as unknown as boolean };
    await expect(remove(workspace.grace, query)).rejects.toMatchObject({
      status: 400,
      code: 'invalid_request',
    });
    expect(await found(workspace.grace)).toEqual(all());
  });

  longIt('is finished wherever its job was cut off', { timeout: 300_000 }, async () => {
    for (let call = 1, cut = true; cut; call += 3 * STRIDE) {
      run++;
      box = await givenMailbox(workspace, workspace.grace);
      await importMail(workspace, workspace.grace, box, [1, 2, 3].map(mail));
      await remove(workspace.grace, { keep_threads: false });
      const [job] = await jobs();
      const crash = crashAfter(workspace.table, call);
      await removeMailbox(workspace.ctx, job as Job, () => false).catch(() => undefined);
      crash.remove();
      cut = crash.hit;
      await finish();
      expect([call, await found(workspace.grace)]).toEqual([call, []]);
    }
  });
});
