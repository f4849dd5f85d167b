import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { keys } from '#shared/table/keys.ts';
import { shareMailbox } from '../../support/events.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
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
});
