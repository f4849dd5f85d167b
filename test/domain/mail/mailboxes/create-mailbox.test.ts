import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { User } from '#shared/domain/identity/users/user.ts';
import { createMailbox } from '#shared/domain/mail/mailboxes/create.ts';
import { keys } from '#shared/table/keys.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

describe('a new mailbox', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace?.stop());

  const create = (label_sync?: boolean) => {
    const { id: user_id, email_address, name } = workspace.ada.user;
    const draft = { account_id: workspace.account_id, user_id, email_address, name };
    return createMailbox(
      workspace.table,
      label_sync === undefined ? draft : { ...draft, label_sync },
      new Date(),
    );
  };
  const owner = async () =>
    (await workspace.table.get<User>(keys.user(workspace.account_id, workspace.ada.user.id))) as User;

  it('is stored with its owner as one with label_sync when that is on, and only then', async () => {
    const [silent, off] = [await create(), await create(false)];
    expect([silent.label_sync, off.label_sync]).toEqual([false, false]);
    expect((await owner()).label_sync_mailbox_ids).toBeUndefined();
    const on = await Promise.all([create(true), create(true), create(true)]);
    const user = await owner();
    expect(user.label_sync_mailbox_ids).toEqual(new Set(on.map(({ id }) => id)));
    expect(Object.keys(user.mailboxes)).toHaveLength(5);
    expect(user.primary_mailbox_id).toBe(silent.id);
  });

  it('is the primary one of who may no longer read the primary one', async () => {
    const { PK, SK } = await owner();
    await workspace.table.update<User>({ PK, SK }, { set: { primary_mailbox_id: randomUUID() } });
    const { id } = await create();
    expect((await owner()).primary_mailbox_id).toBe(id);
  });
});
