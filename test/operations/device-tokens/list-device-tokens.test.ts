import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenDevice } from '../../support/devices.ts';
import { codeOf } from '../../support/failures.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('GET /device_tokens', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  it('200: the own devices, oldest first, without tokens', async () => {
    const { ada, grace } = workspace;
    expect((await ada.session.listDeviceTokens()).body).toEqual({ device_tokens: [] });
    const made = [];
    for (const [second, platform] of (['ios', 'web', 'android'] as const).entries()) {
      workspace.setTime(new Date(Date.UTC(2033, 0, 1, 0, 0, second)));
      made.push(await givenDevice(ada, platform));
    }
    workspace.setTime(undefined);
    await givenDevice(grace, 'ios');
    const { status, body } = await ada.session.listDeviceTokens();
    expect([status, body]).toEqual([200, { device_tokens: made }]);
    expect(Object.keys(made[0] as object).sort()).toEqual([
      ...['app_version', 'created_at', 'id', 'last_used_at', 'name', 'platform', 'token_hint', 'updated_at'],
      'user_id',
    ]);
  });

  it('403: API keys', async () => {
    expect(await codeOf(workspace.ada.api.listDeviceTokens())).toBe('403 api_key_insufficient');
  });
});
