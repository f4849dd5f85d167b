import {
  accessThrough,
  type GuardedItem,
  loadRecord,
  type SeesLink,
} from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { keys, type RecordType } from '#shared/table/keys.ts';
import type { Shareable, ShareKind } from './kind.ts';
import type { StoredShare } from './share.ts';

type SharedRecord = GuardedItem & { name: string; shares: Record<string, StoredShare> };

/**
 * How records with a visibility are shared: by whoever may edit them (docs/specification/people.md, "Shares"). The share
 * is on the record's item, and opens nothing else.
 */
export function recordSharing<R extends SharedRecord>(
  type: RecordType,
  seesLinkIn?: (ctx: CallerContext) => SeesLink<R>,
): ShareKind {
  return {
    async load(ctx, id): Promise<Shareable | undefined> {
      const seesLink = seesLinkIn?.(ctx);
      const record = await loadRecord<R>(ctx, type, id, seesLink);
      if (!record) return undefined;
      return {
        record: { type, id },
        item: keys.record(type, id),
        account_id: record.account_id,
        label: { name: record.name },
        shares: record.shares,
        inherited: [],
        may_share: (await accessThrough(record, ctx.caller.user, seesLink)) === 'edit',
        opens: {},
      };
    },
    giving: () => [],
    taking: () => [],
  };
}
