import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import { aToken, givenDevice } from '../../support/devices.ts';
import { codeOf } from '../../support/failures.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('DELETE /device_tokens/{id}', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  const remove = ({ session }: TestUser, id: string) => session.deleteDeviceToken({ params: { id } });

  it('204, and 404 afterwards; the token can be registered again', async () => {
    const { ada } = workspace;
    const token = aToken.ios();
    const { id } = await givenDevice(ada, 'ios', token, { name: 'Phone' });
    expect((await remove(ada, id)).status).toBe(204);
    expect(await codeOf(remove(ada, id))).toBe('404 record_not_found');
    const user = await workspace.table.get<User>(keys.user(ada.user.account_id, ada.user.id));
    expect(user?.device_ids).toBeUndefined();
    expect(await givenDevice(ada, 'ios', token)).toMatchObject({ id, name: null });
  });

  it('404 for devices of others, admins too', async () => {
    const { ada, grace, hank } = workspace;
    const { id } = await givenDevice(grace, 'android');
    for (const user of [ada, hank]) expect(await codeOf(remove(user, id))).toBe('404 record_not_found');
    expect(await codeOf(remove(grace, randomUUID()))).toBe('404 record_not_found');
    expect((await remove(grace, id)).status).toBe(204);
  });
});
