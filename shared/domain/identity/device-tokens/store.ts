import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import type { DeviceToken } from './device-token.ts';

/** The devices of a user, oldest first. */
export async function listDeviceTokens(
  table: Table,
  { id: user_id, device_ids = new Set() }: Pick<User, 'id' | 'device_ids'>,
): Promise<DeviceToken[]> {
  const found = await table.getMany<DeviceToken>([...device_ids].map((id) => keys.deviceToken(id)));
  // One that somebody else registered meanwhile is no longer the user's.
  return found
    .filter((device) => device.user_id === user_id)
    .sort((a, b) => (`${a.created_at} ${a.id}` < `${b.created_at} ${b.id}` ? -1 : 1));
}
