import type { NamedItem } from '#shared/domain/collaboration/records/named-kind.ts';
import { accessOf, loadRecord } from '#shared/domain/collaboration/records/policy.ts';
import { keys, type RecordType } from '#shared/table/keys.ts';
import type { Shareable, ShareKind } from './kind.ts';
import type { StoredShare } from './share.ts';

type SharedRecord = NamedItem & { shares: Record<string, StoredShare> };

/**
 * How records with a visibility are shared: by whoever may edit them (docs/specification/people.md, "Shares"). The share
 * is on the record's item, and opens nothing else.
 */
export function recordSharing(type: RecordType): ShareKind {
  return {
    async load(ctx, id): Promise<Shareable | undefined> {
      const record = await loadRecord<SharedRecord>(ctx, type, id);
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
