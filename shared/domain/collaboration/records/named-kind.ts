import { keys, type RecordType } from '#shared/table/keys.ts';
import type { RecordKind } from './kind.ts';
import { isThere } from './live.ts';
import { accessOf, type GuardedItem, loadRecord } from './policy.ts';
import { holdersOfShares } from './share-users.ts';

export type NamedItem = GuardedItem & { name: string; user_id: string };

/** Records with a visibility and one name for everybody who sees them. */
export function namedKind(type: RecordType): RecordKind {
  return {
    async load(ctx, id) {
      const record = await loadRecord<NamedItem>(ctx, type, id);
      if (!record) return undefined;
      const { name, user_id, assigned_user_id, tag_ids } = record;
      const owners = assigned_user_id ? [user_id, assigned_user_id] : [user_id];
      return {
        ...{ type, id, label: { name }, owner_ids: [...new Set(owners)], tag_ids: [...(tag_ids ?? [])] },
        access: accessOf(record, ctx.caller.user),
      };
    },

    async seenBy(table, id, users) {
      const record = await table.get<NamedItem>(keys.record(type, id));
      return isThere(record) ? users.filter((user) => accessOf(record, user)).map((user) => ({ user })) : [];
    },

    async audience(table, id) {
      const record = await table.get<NamedItem>(keys.record(type, id));
      if (!isThere(record)) return [];
      const { account_id, visibility, user_id, assigned_user_id, shares = {} } = record;
      if (visibility === 'account') return [account_id];
      const holders = await holdersOfShares(table, account_id, Object.values(shares));
      return [user_id, ...(assigned_user_id ? [assigned_user_id] : []), ...holders];
    },
  };
}
