import type { Context } from '#shared/context.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { recordNotFound } from '#shared/errors.ts';
import type { Label, RecordRef, Seer, VisibleRecord } from './kind.ts';

/** Loads records with comments and tags, and determines who sees them and who is notified. */

export async function findVisible(
  ctx: CallerContext<SeesRecords>,
  { type, id }: RecordRef,
): Promise<VisibleRecord | undefined> {
  return ctx.ports.records[type]?.load(ctx, id);
}

/** 404 `record_not_found` for records that the caller does not see. */
export async function requireVisible(
  ctx: CallerContext<SeesRecords>,
  record: RecordRef,
): Promise<VisibleRecord> {
  const found = await findVisible(ctx, record);
  if (!found) throw recordNotFound();
  return found;
}

/** Stores a visible record that has no item yet, for what is stored under it. */
export async function keep(ctx: CallerContext<SeesRecords>, { type, id }: RecordRef): Promise<void> {
  await ctx.ports.records[type]?.keep?.(ctx, id);
}

/** 404 like `requireVisible`, and keeps the record: for requests that store something under it. */
export async function requireKept(
  ctx: CallerContext<SeesRecords>,
  record: RecordRef,
): Promise<VisibleRecord> {
  const found = await requireVisible(ctx, record);
  await keep(ctx, record);
  return found;
}

export async function whoSees(
  { table, ports }: Context<SeesRecords>,
  record: Pick<VisibleRecord, 'type' | 'id'>,
  users: User[],
): Promise<Seer[]> {
  if (users.length === 0) return [];
  return (await ports.records[record.type]?.seenBy(table, record.id, users)) ?? [];
}

/** The name of the record for everyone who sees it; undefined when it depends on the user. */
export function commonLabel(
  { ports }: Context<SeesRecords>,
  { type, label }: Pick<VisibleRecord, 'type' | 'label'>,
): Label | undefined {
  return ports.records[type]?.personal ? undefined : label;
}
