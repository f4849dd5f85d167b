import type { User } from '#shared/domain/identity/users/user.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import { ConditionFailed, mustExist, type Table, update, when } from '#shared/table/table.ts';
import type { DeviceToken } from './device-token.ts';

/** Changes nothing when the device is gone, or of somebody else meanwhile. */
export async function deleteDeviceToken(table: Table, device: DeviceToken): Promise<void> {
  const { id, account_id, user_id } = device;
  try {
    await table.transact([
      { delete: keyOf(device), when: when<DeviceToken>({ user_id }) },
      update<User>(keys.user(account_id, user_id), { take: { device_ids: new Set([id]) }, when: mustExist }),
    ]);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}
