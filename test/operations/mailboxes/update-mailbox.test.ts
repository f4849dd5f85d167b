import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { User } from '#shared/domain/identity/users/user.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import type { Job } from '#shared/domain/platform/jobs/job.ts';
import { keys } from '#shared/table/keys.ts';
import { shareMailbox } from '../../support/events.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { openJobs } from '../../support/jobs.ts';
import { givenMailbox } from '../../support/mail.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('PATCH /mailboxes/{id}', () => {
  let workspace: Workspace;
  let mailbox: string;
  beforeAll(async () => {
    workspace = await startWorkspace();
    mailbox = await givenMailbox(workspace, workspace.grace, workspace.account_id, 'sent');
  });
  afterAll(() => workspace.stop());

  const update = (user: TestUser, fields: object, id = mailbox) =>
    user.api.updateMailbox({ params: { id }, body: { mailbox: fields } as never });

  it('200: what is sent changes, and the rest stays', async () => {
    const { grace } = workspace;
    const before = (await grace.reader.retrieveMailbox({ params: { id: mailbox } })).body.mailbox;
    expect(before).toMatchObject({ contact_creation: 'sent', updated_at: null });
    const after = (await update(grace, { name: ' Orders ' })).body.mailbox;
    expect(after).toEqual({ ...before, name: 'Orders', updated_at: expect.any(String) });
    for (const contact_creation of ['all', 'none', 'sent'])
      expect((await update(grace, { contact_creation })).body.mailbox).toMatchObject({
        ...{ name: 'Orders', contact_creation },
      });
    const read = (await grace.reader.retrieveMailbox({ params: { id: mailbox } })).body.mailbox;
    expect((await update(grace, { name: 'Orders', contact_creation: 'sent' })).body.mailbox).toEqual(read);
    expect((await update(grace, {})).body.mailbox).toEqual(read);
  });

  it('shows what a mailbox of which it was never chosen does', async () => {
    const id = await givenMailbox(workspace, workspace.grace);
    await workspace.table.update<Mailbox>(keys.mailbox(workspace.account_id, id), {
      remove: ['contact_creation'],
    });
    const { mailbox: shown } = (await workspace.grace.reader.retrieveMailbox({ params: { id } })).body;
    expect(shown.contact_creation).toBe('sent');
  });

  it('403 for all but its owner, admins too; 404 for who has no access', async () => {
    const { ada, grace, linus, hank } = workspace;
    expect(await codeOf(update(ada, { name: 'x' }))).toBe('404 record_not_found');
    await shareMailbox(grace, mailbox, ada, 'edit');
    expect(await codeOf(update(ada, { name: 'x' }))).toBe('403 permission_denied');
    for (const user of [linus, hank])
      expect(await codeOf(update(user, { name: 'x' }))).toBe('404 record_not_found');
    expect(await codeOf(update(grace, { name: 'x' }, randomUUID()))).toBe('404 record_not_found');
  });

  it('400: what does not fit', async () => {
    const sent = { name: ' ', contact_creation: 'some', email_address: 'a@b.example', shares: [] };
    expect(await problemsOf(update(workspace.grace, sent))).toEqual({
      ...{
        name: 'required',
        contact_creation: 'invalid',
        email_address: 'not_allowed',
        shares: 'not_allowed',
      },
    });
    expect(await problemsOf(update(workspace.grace, { name: null, contact_creation: null }))).toEqual({
      ...{ name: 'invalid', contact_creation: 'invalid' },
    });
    expect(await problemsOf(update(workspace.grace, { name: 'a'.repeat(256) }))).toEqual({
      name: 'too_long',
    });
  });

  it('200: what holds for mail', async () => {
    const { grace } = workspace;
    const id = await givenMailbox(workspace, grace);
    const chosen = { share_metadata: true, backfill_from: '2026-01-31', signature_html: null };
    const { mailbox: after } = (await update(grace, chosen, id)).body;
    expect(after).toMatchObject({ ...chosen, signature_html: null });
    const signed = { signature_html: ' <p onclick="x()">Grace<script>1</script></p> ' };
    expect((await update(grace, signed, id)).body.mailbox.signature_html).toBe('<p>Grace</p>');
    expect((await update(grace, { signature_html: '<script>1</script>' }, id)).body.mailbox).toMatchObject({
      ...{ ...chosen, signature_html: null },
    });
    const none = { backfill_from: null, share_metadata: false };
    expect((await update(grace, none, id)).body.mailbox).toMatchObject(none);
    expect(
      await problemsOf(update(grace, { backfill_from: 'May', signature_html: 'a'.repeat(20_001) }, id)),
    ).toEqual({
      ...{ backfill_from: 'invalid_format', signature_html: 'too_long' },
    });
  });

  it('200: one mailbox is the primary one', async () => {
    const { linus, table, account_id } = workspace;
    const primaries = async () => {
      const { records } = (await linus.reader.listMailboxes()).body.collection;
      return records.filter((each) => each.primary).map(({ id }) => id);
    };
    const [first, second] = [await givenMailbox(workspace, linus), await givenMailbox(workspace, linus)];
    expect(await primaries()).toEqual([first]);
    const { mailbox: chosen } = (await update(linus, { primary: true }, second)).body;
    expect(chosen).toMatchObject({ primary: true, updated_at: expect.any(String) });
    expect(await primaries()).toEqual([second]);
    expect((await update(linus, { primary: false }, first)).body.mailbox.updated_at).toBeNull();
    expect((await update(linus, { primary: false }, second)).body.mailbox.primary).toBe(false);
    expect(await primaries()).toEqual([]);
    const user = await table.get<User>(keys.user(account_id, linus.user.id));
    expect(user?.primary_mailbox_id).toBeNull();
  });

  it('200: flags and read states are set at a mail server, or not', async () => {
    const { grace, table, account_id } = workspace;
    const id = await givenMailbox(workspace, grace);
    const synced = async () =>
      (await table.get<User>(keys.user(account_id, grace.user.id)))?.label_sync_mailbox_ids?.has(id) ?? false;
    expect(await problemsOf(update(grace, { label_sync: true }, id))).toEqual({ label_sync: 'invalid' });
    const server = { host: 'imap.example', port: 993, tls: true, username: 'grace', password: 'sealed' };
    await table.update<Mailbox>(keys.mailbox(account_id, id), {
      set: { provider: 'imap', mail_server: { imap: server, smtp: null, oauth: null } },
    });
    for (const label_sync of [true, false]) {
      expect((await update(grace, { label_sync }, id)).body.mailbox.label_sync).toBe(label_sync);
      expect(await synced()).toBe(label_sync);
    }
    expect(await openJobs<Job>(table, 'sync-mailboxes')).toMatchObject([{ body: { mailbox_id: id } }]);
  });
});
