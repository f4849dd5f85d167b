import type { RecordRef, SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { LinkedRecords } from '#shared/domain/collaboration/records/links.ts';
import { pluralOf } from '#shared/domain/collaboration/records/types.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { keys, timeRank } from '#shared/table/keys.ts';
import type { QueryPage } from '#shared/table/requests.ts';
import type { Change } from './difference.ts';
import { type HistoryEntry, KEPT, type StoredEntry } from './entry.ts';

/** Pages of a record's history, newest first, without what the reader does not see. */

/** What stands in a value for another record, as in `refs` of tasks. */
interface Link {
  type: string;
  id: string;
}

function linkIn(value: object): RecordRef | undefined {
  const { type, id } = value as Partial<Link>;
  const known = typeof type === 'string' && typeof id === 'string' ? pluralOf(type) : undefined;
  return known && { type: known, id: id as string };
}

/** Its keys are those of clients: an object of them is no link. */
const FREE = 'custom_fields';

/** The value without links to records that the reader does not see; undefined for such a link itself. */
async function visibleIn(linked: LinkedRecords, value: unknown): Promise<unknown> {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const parts = await Promise.all(value.map((part) => visibleIn(linked, part)));
    return parts.filter((part) => part !== undefined);
  }
  const link = linkIn(value);
  if (link && !(await linked.find(link))) return undefined;
  const parts = await Promise.all(
    Object.entries(value).map(async ([name, part]) => [name, (await visibleIn(linked, part)) ?? null]),
  );
  return Object.fromEntries(parts);
}

async function shownChange(linked: LinkedRecords, change: Change): Promise<Change> {
  if (change.field === FREE) return change;
  const [before, after] = await Promise.all([
    visibleIn(linked, change.before),
    visibleIn(linked, change.after),
  ]);
  return { ...change, before: before ?? null, after: after ?? null };
}

/** A change of hidden records alone is left out. */
const saysSomething = ({ before, after, cut }: Change) =>
  cut || JSON.stringify(before) !== JSON.stringify(after);

async function shown(linked: LinkedRecords, entry: StoredEntry): Promise<HistoryEntry> {
  const { id, user_id, changed_at } = entry;
  const stored: Change[] = JSON.parse(entry.changes);
  const changes = await Promise.all(stored.map((change) => shownChange(linked, change)));
  return { id, user_id, changed_at, changes: changes.filter(saysSomething) };
}

interface Page {
  limit: number;
  /** Where the page before ended. */
  after: string | undefined;
}

/** DynamoDB may take days to remove what has expired. */
export async function listHistory(
  ctx: CallerContext<SeesRecords>,
  { type, id }: RecordRef,
  { limit, after }: Page,
): Promise<{ entries: HistoryEntry[]; next: string | null }> {
  const { PK, SK } = keys.history(type, id);
  const sort = { from: `${SK}${timeRank(ctx.now.getTime() - KEPT)}`, to: `${SK}~` };
  const found: StoredEntry[] = [];
  let last: Record<string, unknown> | undefined = after === undefined ? undefined : { PK, SK: after };
  // Large entries: DynamoDB ends a query at 1 MB.
  do {
    const range = { partition: PK, sort, newest_first: true, limit: limit - found.length, after: last };
    const page: QueryPage<StoredEntry> = await ctx.table.query<StoredEntry>(range);
    found.push(...page.items);
    last = page.last;
  } while (last && found.length < limit);
  const linked = new LinkedRecords(ctx);
  const entries = await Promise.all(found.map((entry) => shown(linked, entry)));
  return { entries, next: last ? (found.at(-1)?.SK ?? null) : null };
}
