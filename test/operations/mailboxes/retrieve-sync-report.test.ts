import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Job } from '#shared/domain/platform/jobs/job.ts';
import { shareMailbox } from '../../support/events.ts';
import { codeOf } from '../../support/failures.ts';
import { meanwhile } from '../../support/faults.ts';
import { openJobs } from '../../support/jobs.ts';
import { eml, givenMailbox } from '../../support/mail.ts';
import { givenConnected, runMailSync, serveMail } from '../../support/mail-sync.ts';
import { StoredMail } from '../../support/stored-mail.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('GET /mailboxes/{mailbox_id}/sync_report', () => {
  let workspace: Workspace;
  let server: StoredMail;
  let mailbox_id: string;

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true, own_table: true });
    server = new StoredMail().folder('INBOX', { role: 'inbox' });
    serveMail(workspace, server);
    mailbox_id = await givenConnected(workspace, workspace.ada);
  });
  afterAll(() => workspace?.stop());

  const reportFor = async (user: TestUser, id = mailbox_id) =>
    (await user.reader.retrieveSyncReport({ params: { mailbox_id: id } })).body.sync_report;
  const empty = { from: null, to: null, folders: [], messages_recovered: 0, recent_failures: [] };

  it('is empty before the first run, and without a server', async () => {
    const { ada } = workspace;
    const other = await givenMailbox(workspace, ada);
    for (const id of [mailbox_id, other])
      expect(await reportFor(ada, id)).toEqual({ mailbox_id: id, ...empty });
    await ada.api.syncMailbox({ params: { mailbox_id: other }, body: { full: true } });
    expect(await openJobs<Job>(workspace.table, 'sync-mailboxes')).toEqual([]);
  });

  it('is that of one run, for all who see the mailbox; one job, however often it is asked for', async () => {
    const { ada, grace, linus, hank } = workspace;
    await shareMailbox(ada, mailbox_id, grace);
    server.add('INBOX', eml({ id: 'report-1@x' }));
    const body = { full: true };
    for (let i = 0; i < 2; i++) await ada.api.syncMailbox({ params: { mailbox_id }, body });
    expect(await openJobs<Job>(workspace.table, 'sync-mailboxes')).toHaveLength(1);
    expect(await codeOf(grace.api.syncMailbox({ params: { mailbox_id }, body }))).toBe(
      '403 permission_denied',
    );
    await runMailSync(workspace);
    const counts = { messages_at_provider: 1, messages_imported: 1, messages_skipped: 0, messages_failed: 0 };
    const report = await reportFor(grace);
    expect(report).toEqual({
      ...{ ...empty, mailbox_id, folders: [{ name: 'INBOX', ...counts }] },
      ...{ from: expect.any(String), to: expect.any(String) },
    });
    expect(`${report.from}` <= `${report.to}`).toBe(true);
    for (const user of [linus, hank])
      expect(await codeOf(user.reader.retrieveSyncReport({ params: { mailbox_id } }))).toBe(
        '404 record_not_found',
      );
  });

  it('is whole when another one takes its place meanwhile', async () => {
    for (let which = 1, met = true; met; which++) {
      const replace = async () => {
        server.add('INBOX', eml({ id: `replaced-${which}@x` }));
        await workspace.ada.api.syncMailbox({ params: { mailbox_id }, body: { full: true } });
        await runMailSync(workspace);
      };
      const race = meanwhile(workspace.table, 'BatchGetCommand', replace, which);
      const { folders } = await reportFor(workspace.ada);
      race.remove();
      met = race.hit;
      expect(folders).toMatchObject([{ name: 'INBOX' }]);
    }
  });

  it('names folders by their whole path, without what no name has', async () => {
    server.folder('Ärger/2026 "a\\b"').folder(`bad\u0000\n${'語'.repeat(400)}`);
    await workspace.ada.api.syncMailbox({ params: { mailbox_id }, body: {} });
    await runMailSync(workspace);
    const { folders } = await reportFor(workspace.ada);
    expect(folders.map(({ name }) => name)).toEqual([
      'INBOX',
      `bad${'語'.repeat(132)}…`,
      'Ärger/2026 "a\\b"',
    ]);
  });
});
