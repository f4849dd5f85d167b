import type { Ends } from '#shared/domain/identity/users/leaving.ts';
import { keys } from '#shared/table/keys.ts';
import type { ApiKey } from './api-key.ts';
import { revokeApiKey } from './delete.ts';

/** Deletes the keys of a user who left, which are refused already; those that the user made after a return stay. */
export const deleteKeysOfUser: Ends = async (ctx, from, timeIsUp) => {
  const { PK, SK } = keys.apiKeyRow(from.account_id, '');
  const rows = await ctx.table.all<ApiKey>(PK, SK);
  const ended = rows.filter(({ user_id, id }) => user_id === from.id && id < (from.credentials_from ?? ''));
  for (const row of ended) {
    if (timeIsUp()) return false;
    await revokeApiKey(ctx, row);
  }
  return true;
};
