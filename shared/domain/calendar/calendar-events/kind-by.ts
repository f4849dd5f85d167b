import type { RecordKind } from '#shared/domain/collaboration/records/kind.ts';
import { holdersOfShares } from '#shared/domain/collaboration/records/share-users.ts';
import type { Table } from '#shared/table/table.ts';
import { accessTo, isVisible, seesDetails } from './access.ts';
import type { UntimedEvent } from './inherited.ts';

/** Events as records with comments and tags: for those who see more of them than when they are. */
export const eventKindBy = (
  find: (table: Table, id: string) => Promise<UntimedEvent | undefined>,
): RecordKind => ({
  async load({ table, caller }, id) {
    const event = await find(table, id);
    if (!event || !isVisible(caller, event) || !seesDetails(caller.user, event)) return undefined;
    const { name, user_id, tag_ids } = event;
    return {
      type: 'calendar_events',
      id,
      label: { name },
      owner_ids: [user_id],
      tag_ids: [...(tag_ids ?? [])],
    };
  },

  async seenBy(table, id, users) {
    const event = await find(table, id);
    if (!event) return [];
    return users
      .filter((user) => accessTo(user, event) && seesDetails(user, event))
      .map((user) => ({ user }));
  },

  async audience(table, id) {
    const event = await find(table, id);
    if (!event) return [];
    const { account_id, user_id, mailbox_id, invited_user_ids = [], shares } = event;
    if (event.private) return [user_id];
    const holders = await holdersOfShares(table, account_id, Object.values(shares));
    return [user_id, ...(mailbox_id === null ? [] : [mailbox_id]), ...invited_user_ids, ...holders];
  },
});
