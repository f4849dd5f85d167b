import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MailImport } from '#shared/domain/mail/imports/import.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { keys } from '#shared/table/keys.ts';
import { givenAccount } from '../../support/accounts.ts';
import { outbound } from '../../support/drafts.ts';
import { codeOf } from '../../support/failures.ts';
import { givenMailImport } from '../../support/first-steps.ts';
import { givenMailbox } from '../../support/mail.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('PATCH /accounts/{id}/initialize', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  const complete = ({ session, user: { account_id: id } }: TestUser) =>
    session.completeInitialization({ params: { id } });
  const stepsOf = async ({ session, user: { account_id: id } }: TestUser) =>
    (await session.checkInitialization({ params: { id } })).body.initialization;
  const given = async (state?: Partial<MailImport>) => {
    const [user] = (await givenAccount(workspace, 1)) as [TestUser];
    const mailbox_id = await givenMailbox(workspace, user, user.user.account_id);
    const id = state ? await givenMailImport(workspace, user, mailbox_id, state) : undefined;
    return { user, mailbox_id, id: id as string };
  };

  it('422 before any mail, and nothing is remembered', async () => {
    const { user, mailbox_id } = await given();
    expect(await codeOf(complete(user))).toBe('422 mailbox_not_connected');
    await givenMailImport(workspace, user, mailbox_id, {});
    expect(await stepsOf(user)).toMatchObject({ status: 'importing' });
  });

  it('422 outbound_disabled while no server of the own mailboxes sends; mail from archives needs none', async () => {
    const { user, mailbox_id } = await given({ status: 'complete' });
    const { account_id } = user.user;
    const imap = { host: '127.0.0.1', port: 1, tls: false, username: 'x', password: null };
    const serve = (id: string, mail_server: NonNullable<Mailbox['mail_server']>) =>
      outbound(workspace.table, account_id, id, { mail_server });
    await serve(mailbox_id, { imap, smtp: null, oauth: null });
    expect(await codeOf(complete(user))).toBe('422 outbound_disabled');
    expect((await stepsOf(user)).mailbox_connected).toBe(true);
    await serve(await givenMailbox(workspace, user, account_id), { imap, smtp: imap, oauth: null });
    expect((await complete(user)).status).toBe(200);
  });

  it('200: the first steps are complete, whatever is imported later, and however often it is sent', async () => {
    const { user, mailbox_id } = await given({ status: 'failed' });
    expect(await stepsOf(user)).toMatchObject({ status: 'pending' });
    const both = await Promise.all([complete(user), complete(user)]);
    expect(both.map(({ body }) => body)).toEqual([{ ok: 'ok' }, { ok: 'ok' }]);
    const created_at = new Date(Date.now() + 60_000).toISOString();
    await givenMailImport(workspace, user, mailbox_id, { status: 'importing', created_at });
    expect((await complete(user)).status).toBe(200);
    expect(await stepsOf(user)).toMatchObject({ status: 'complete', percent: 100 });
  });

  it('200: what runs goes on, and is shown until it is done', async () => {
    const { user, id } = await given({ status: 'importing', messages_total: 4, messages_imported: 1 });
    expect((await complete(user)).status).toBe(200);
    expect(await stepsOf(user)).toMatchObject({ status: 'importing', percent: 25 });
    await workspace.table.update<MailImport>(keys.mailImport(id), { set: { status: 'failed' } });
    expect(await stepsOf(user)).toMatchObject({ status: 'complete', percent: 100 });
  });

  it('is of one user: a colleague has own first steps', async () => {
    const [ada, grace] = (await givenAccount(workspace, 2)) as [TestUser, TestUser];
    const of = async (user: TestUser) => {
      const mailbox_id = await givenMailbox(workspace, user, user.user.account_id);
      await givenMailImport(workspace, user, mailbox_id, { status: 'failed' });
    };
    await of(ada);
    await of(grace);
    await complete(ada);
    expect((await stepsOf(grace)).status).toBe('pending');
  });

  it('403 for keys, 404 for another account', async () => {
    const { user } = await given({ status: 'complete' });
    const params = { id: user.user.account_id };
    expect(await codeOf(user.api.completeInitialization({ params }))).toBe('403 api_key_insufficient');
    const other = { id: workspace.ada.user.account_id };
    expect(await codeOf(user.session.completeInitialization({ params: other }))).toBe('404 record_not_found');
  });
});
