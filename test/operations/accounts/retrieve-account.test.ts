import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from '../../support/failures.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('GET /accounts/{id}', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  it('200: the account of the key, as every user sees it', async () => {
    const params = { id: workspace.account_id };
    const { status, body } = await workspace.grace.reader.retrieveAccount({ params });
    expect(status).toBe(200);
    expect(body.account).toEqual({
      id: workspace.account_id,
      name: 'Acme',
      owner_user_id: workspace.ada.user.id,
      api_access: 'enabled',
      features: { ask_assistant: true },
      default_currency: null,
      time_zone: 'Europe/London',
      billing: {
        provider: 'none',
        status: null,
        plan: null,
        seats: null,
        trial_ends_at: null,
        current_period_ends_at: null,
        card: null,
      },
      created_at: expect.any(String),
      updated_at: null,
    });
  });

  it('404: any other account, known or not', async () => {
    for (const id of [workspace.hank.user.account_id, randomUUID(), 'me'])
      expect(await codeOf(workspace.ada.session.retrieveAccount({ params: { id } }))).toBe(
        '404 record_not_found',
      );
  });

  it('502 billing_unavailable: the provider does not answer', async () => {
    const stand_ins = { billing: { read: () => Promise.reject(new Error('No answer')) } };
    Object.assign(workspace.ctx, { stand_ins });
    const params = { id: workspace.account_id };
    expect(await codeOf(workspace.ada.reader.retrieveAccount({ params }))).toBe('502 billing_unavailable');
    Object.assign(workspace.ctx, { stand_ins: undefined });
  });
});
