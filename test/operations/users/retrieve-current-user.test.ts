import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('GET /users/me', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  const capabilities = async (user: 'ada' | 'grace') =>
    (await workspace[user].reader.retrieveCurrentUser()).body.user.capabilities;

  it('200: the user of the key with private settings', async () => {
    const { status, body } = await workspace.grace.reader.retrieveCurrentUser();
    expect(status).toBe(200);
    expect(body.user).toMatchObject({
      id: workspace.grace.user.id,
      email_address: 'grace@acme.example',
      role: 'member',
      time_zone: 'America/New_York',
      assistant_enabled: true,
      notification_settings: {},
      terms_accepted: true,
    });
  });

  it('tells admins from members', async () => {
    expect(await capabilities('ada')).toMatchObject({ manage_account: true, delete_tags: true });
    expect(await capabilities('grace')).toMatchObject({ manage_account: false, delete_tags: false });
  });

  it('says that the assistant answers when account, user and deployment have it on', async () => {
    const { account_id, grace, table } = workspace;
    const { assistant } = workspace.ctx.config;
    workspace.ctx.config.assistant = { ...assistant, provider: 'none' };
    expect(await capabilities('grace')).toMatchObject({ ask_assistant: false });
    workspace.ctx.config.assistant = assistant;
    expect(await capabilities('grace')).toMatchObject({ ask_assistant: true });
    await table.update<User>(keys.user(account_id, grace.user.id), { set: { assistant_enabled: false } });
    expect(await capabilities('grace')).toMatchObject({ ask_assistant: false });
    expect(await capabilities('ada')).toMatchObject({ ask_assistant: true });
    await table.update<Account>(keys.account(account_id), { set: { features: { ask_assistant: false } } });
    expect(await capabilities('ada')).toMatchObject({ ask_assistant: false });
  });
});
