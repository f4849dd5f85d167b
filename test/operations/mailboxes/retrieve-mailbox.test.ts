import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { User } from '#shared/domain/identity/users/user.ts';
import { createMailbox } from '#shared/domain/mail/mailboxes/create.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { keys } from '#shared/table/keys.ts';
import { at } from '#shared/table/table.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('GET /mailboxes/{id}', () => {
  let workspace: Workspace;
  let mailbox: Mailbox;
  beforeAll(async () => {
    workspace = await startWorkspace();
    const { account_id, id: user_id } = workspace.grace.user;
    const draft = { account_id, user_id, email_address: 'grace@acme.example', name: 'Grace' };
    mailbox = await createMailbox(workspace.table, draft, new Date());
  });
  afterAll(() => workspace.stop());

  const read = (user: 'ada' | 'grace' | 'hank', id: string) =>
    workspace[user].reader.retrieveMailbox({ params: { id } });

  it('200: the mailbox with its counters and shares', async () => {
    await workspace.table.update<Mailbox>(keys.mailbox(workspace.account_id, mailbox.id), {
      add: { messages_imported: 12, messages_failed: 3 },
    });
    const { status, body } = await read('grace', mailbox.id.toUpperCase());
    expect(status).toBe(200);
    expect(body.mailbox).toMatchObject({
      id: mailbox.id,
      owner_user_id: workspace.grace.user.id,
      provider: 'import',
      status: 'active',
      shares: [],
      sync: { messages_imported: 12, messages_failed: 3 },
    });
  });

  it('shows how another user may use it', async () => {
    await workspace.table.update<User>(keys.user(workspace.account_id, workspace.linus.user.id), {
      set: { mailboxes: at(mailbox.id, 'view') },
    });
    const { body } = await workspace.linus.reader.retrieveMailbox({ params: { id: mailbox.id } });
    expect(body.mailbox).toMatchObject({ access: 'view', primary: false });
  });

  it.each([
    ['a user without access, although an admin', 'ada' as const, () => mailbox.id],
    ['a user of another account', 'hank' as const, () => mailbox.id],
    ['an unknown id', 'grace' as const, () => randomUUID()],
  ])('404: %s', async (_, user, id) => {
    await expect(read(user, id())).rejects.toMatchObject({ status: 404, code: 'record_not_found' });
  });
});
