import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('GET /users', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  it('returns every user of the account, complete', async () => {
    const { status, body } = await workspace.grace.reader.listUsers();
    expect(status).toBe(200);
    expect(body.collection).toMatchObject({ page: 1, per_page: 3, total_results: 3, pages: 1 });
    expect(body.collection.records.map((user) => user.name).sort()).toEqual([
      'Ada Lovelace',
      'Grace Hopper',
      'Linus Pauling',
    ]);
  });

  it('shows private settings of the key’s user only', async () => {
    const { body } = await workspace.grace.reader.listUsers();
    const own = body.collection.records.find((user) => user.id === workspace.grace.user.id);
    const other = body.collection.records.find((user) => user.id === workspace.ada.user.id);
    expect(own?.capabilities).toMatchObject({ ask_assistant: true, manage_account: false });
    expect(other).toMatchObject({ capabilities: null, assistant_enabled: null, notification_settings: null });
  });
});
