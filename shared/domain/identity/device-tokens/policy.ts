import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { recordNotFound } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import type { DeviceToken } from './device-token.ts';

/** Users have their own devices only. 404 for any other. */
export async function requireDeviceToken(
  { table, caller: { user } }: CallerContext,
  id: string,
): Promise<DeviceToken> {
  const found = user.device_ids?.has(id) ? await table.get<DeviceToken>(keys.deviceToken(id)) : undefined;
  if (found?.user_id !== user.id) throw recordNotFound();
  return found;
}
