import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMailbox } from '#shared/domain/mail/mailboxes/create.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('GET /mailboxes', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  const connect = (owner: TestUser, name: string, second: number) =>
    createMailbox(
      workspace.table,
      {
        account_id: owner.user.account_id,
        user_id: owner.user.id,
        email_address: `${name}@acme.example`,
        name,
      },
      new Date(Date.UTC(2030, 0, 1, 0, 0, second)),
    );

  it('200: an empty collection before there is any', async () => {
    const { status, body } = await workspace.hank.reader.listMailboxes();
    expect(status).toBe(200);
    expect(body.collection).toEqual({ records: [], page: 1, per_page: 0, total_results: 0, pages: 1 });
  });

  it('200: the mailboxes of the user, oldest first; the first one made is the primary', async () => {
    const first = await connect(workspace.grace, 'grace', 1);
    const second = await connect(workspace.grace, 'support', 2);
    await connect(workspace.ada, 'ada', 3);
    const { body } = await workspace.grace.reader.listMailboxes();
    expect(body.collection).toMatchObject({ page: 1, per_page: 2, total_results: 2, pages: 1 });
    expect(body.collection.records).toMatchObject([
      { id: first.id, email_address: 'grace@acme.example', primary: true, access: 'owner', shares: null },
      { id: second.id, email_address: 'support@acme.example', primary: false, access: 'owner', shares: null },
    ]);
    const me = await workspace.grace.reader.retrieveCurrentUser();
    expect(me.body.user.primary_mailbox_id).toBe(first.id);
  });

  it('keeps every mailbox and one primary when several are made at once', async () => {
    const made = await Promise.all([4, 5, 6, 7].map((n) => connect(workspace.linus, `linus${n}`, n)));
    const { body } = await workspace.linus.reader.listMailboxes();
    expect(body.collection.records.map(({ id }) => id)).toEqual(made.map(({ id }) => id));
    expect(body.collection.records.filter(({ primary }) => primary)).toHaveLength(1);
  });
});
