import { accessOf, type GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { keys, type RecordType } from '#shared/table/keys.ts';
import type { Shareable, ShareKind } from './kind.ts';
import type { StoredShare } from './share.ts';

type SharedRecord = GuardedItem & { name: string; shares: Record<string, StoredShare> };

/**
 * How records with a visibility are shared: by whoever may edit them (docs/specification/people.md, "Shares"). The share
 * is on the record's item, and opens nothing else.
 */
export function recordSharing(
  type: RecordType,
  load: (ctx: CallerContext, id: string) => Promise<SharedRecord | undefined>,
): ShareKind {
  return {
    async load(ctx, id): Promise<Shareable | undefined> {
      const record = await load(ctx, id);
      if (!record) return undefined;
      return {
        record: { type, id },
        item: keys.record(type, id),
        account_id: record.account_id,
        label: { name: record.name },
        shares: record.shares,
        inherited: [],
        may_share: accessOf(record, ctx.caller.user) === 'edit',
        opens: {},
      };
    },
    giving: () => [],
    taking: () => [],
  };
}
