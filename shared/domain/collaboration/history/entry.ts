import * as z from 'zod';
import type { Dependent } from '#shared/domain/collaboration/life/dependent.ts';
import { keptUnder } from '#shared/domain/collaboration/life/dependent.ts';
import { actorOf, type CallerContext } from '#shared/domain/identity/caller.ts';
import { newId } from '#shared/ids.ts';
import { keys, type RecordType } from '#shared/table/keys.ts';
import type { Item, Write } from '#shared/table/table.ts';
import { timestamp, uuid } from '#shared/values.ts';
import { changesBetween } from './difference.ts';

/** Who changed which fields of a record (docs/specification/records.md, "History"). */

const fieldChange = z
  .strictObject({
    field: z.string().meta({ example: 'headline' }),
    before: z.unknown().meta({ example: 'Clerk' }),
    after: z.unknown().meta({ example: 'Analyst' }),
    cut: z.boolean(),
  })
  .meta({ id: 'FieldChange' });

export const historyEntrySchema = z
  .strictObject({
    id: uuid,
    user_id: uuid.nullable(),
    changed_at: timestamp,
    changes: z.array(fieldChange),
  })
  .meta({ id: 'HistoryEntry' });

export type HistoryEntry = z.output<typeof historyEntrySchema>;

export type StoredEntry = Item &
  Omit<HistoryEntry, 'changes'> & {
    /** As JSON text: JSON numbers may exceed DynamoDB's range. */
    changes: string;
    expires_epoch: number;
  };

/** Milliseconds for which a change is kept. */
export const KEPT = 2 * 365 * 86_400_000;

interface Changed {
  id: string;
  updated_at: string | null;
}

/** The values that a record shows in its history, by field. */
export type ValuesOf<R> = (record: R) => Readonly<Record<string, unknown>>;

/** The write of what changed; none when no field did. `after` has the time of the change. */
export function historyWrites<R extends Changed>(
  ctx: Pick<CallerContext, 'now'> & Partial<Pick<CallerContext, 'caller' | 'by_agent'>>,
  { type, history }: { type: RecordType; history?: ValuesOf<R> },
  before: R | undefined,
  after: R,
): Write[] {
  if (!before || !history) return [];
  const changes = changesBetween(history(before), history(after));
  if (changes.length === 0) return [];
  const changed_at = after.updated_at ?? ctx.now.toISOString();
  const moment = Date.parse(changed_at);
  const id = newId(new Date(moment));
  const entry: StoredEntry = {
    ...keys.historyEntry(type, after.id, moment, id),
    id,
    user_id: actorOf(ctx),
    changed_at,
    changes: JSON.stringify(changes),
    expires_epoch: Math.ceil((moment + KEPT) / 1_000),
  };
  return [{ put: entry }];
}

/** A merged record has the history of both. */
export const historyOfRecords: Dependent = keptUnder(({ type, id }) => keys.history(type, id));
