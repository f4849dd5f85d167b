import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod';
import type { ListedItem } from '#shared/domain/collaboration/record-lists/listed-item.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { isThere, type RecordItem } from '#shared/domain/collaboration/records/live.ts';
import type { Plan } from '#shared/domain/collaboration/records/plan.ts';
import { singular, type targetTypes } from '#shared/domain/collaboration/records/types.ts';
import { holderOf } from '#shared/domain/identity/users/holder.ts';
import type { Change } from '#shared/domain/platform/jobs/commit.ts';
import { keys } from '#shared/table/keys.ts';
import { type AllOf, missing, type Table } from '#shared/table/table.ts';
import { type Action, type ActionContext, notUndoable } from './action.ts';
import { changesOf, type ShownField } from './shown.ts';
import { requireUntouched } from './untouched.ts';

/** Actions that create or change records, with the functions of the operations that do the same. */

type Named = ListedItem & { name: string };

/** The family of the records. */
export interface Family<R extends Named, P extends Plan<R> = Plan<R>> {
  type: (typeof targetTypes)[number];
  fields(ctx: ActionContext, plan: P): Promise<ShownField<R>[]>;
  /** The records that it is linked to. */
  linksOf(record: R): RecordRef[];
  /** What `make` makes of a record. 404 and 403 as for an update. */
  change(ctx: ActionContext, id: string, make: (before: R) => R): Promise<P>;
  deletion(ctx: ActionContext, record: R, further: AllOf<R>): Promise<Change>;
}

interface Creation<R extends Named, P extends Plan<R>, Params> {
  params: z.ZodType<Params>;
  params_hint: string;
  plan(ctx: ActionContext, params: Params): P | Promise<P>;
  /** The parameters of exactly this record, whoever accepts it and whenever. */
  settled?(params: Params, after: R): object;
  /** The record as a proposal creates it. */
  created?(after: R, proposal_id: string): R;
}

/** Undoing deletes the record. */
export function creating<R extends Named, P extends Plan<R>, Params>(
  family: Family<R, P>,
  { params, params_hint, plan, settled, created }: Creation<R, P, Params>,
): Action<Params> {
  const type = singular(family.type);
  return {
    params,
    params_hint,
    async prepare(ctx, sent) {
      const planned = await plan(ctx, sent);
      const { after } = planned;
      const changes = changesOf(await family.fields(ctx, planned), planned);
      return {
        record: null,
        base_updated_at: null,
        tag_id: null,
        params: settled?.(sent, after),
        common: after.visibility === 'account',
        display: { title: `Create the ${type.replaceAll('_', ' ')} ${after.name}`, summary: null, changes },
        apply: async (proposal_id) => ({
          ...(await planned.change(created?.(after, proposal_id))),
          applied: { type, id: after.id },
          undo: {},
        }),
      };
    },
    async undo(ctx, { applied_record_id }) {
      const { after: record } = await family.change(ctx, applied_record_id ?? '', (same) => same);
      await requireUntouched(ctx, family.type, record);
      const further = { tag_ids: missing, shares: record.shares };
      return family.deletion(ctx, record, further as AllOf<Named> as AllOf<R>);
    },
  };
}

/** The values before, and the `updated_at` that the change gave the record. */
interface Undo<R> {
  before: Partial<R>;
  updated_at: string | null;
}

function undoOf<R extends Named>({ before, after }: Plan<R>): Undo<R> | null {
  if (!before || before === after) return null;
  const names = Object.keys(after) as (keyof R & string)[];
  const changed = names.filter(
    (name) => name !== 'updated_at' && !isDeepStrictEqual(before[name], after[name]),
  );
  const values = changed.map((name) => [name, before[name]]);
  return { before: Object.fromEntries(values), updated_at: after.updated_at };
}

/** Links to what is gone cannot be restored. */
async function requireThere(table: Table, refs: RecordRef[], already: RecordRef[]): Promise<void> {
  const restored = refs.filter(({ id }) => !already.some((ref) => ref.id === id));
  const found = await table.getMany<RecordItem>(restored.map(({ type, id }) => keys.record(type, id)));
  const there = found.filter((item) => isThere(item) && item.merged_into === undefined);
  if (there.length < restored.length) throw notUndoable();
}

/** Whoever worked on it may have left since. */
async function withHolder<R extends Named>(ctx: ActionContext, before: Partial<R>): Promise<Partial<R>> {
  const { assigned_user_id } = before;
  return assigned_user_id ? { ...before, assigned_user_id: await holderOf(ctx, assigned_user_id) } : before;
}

interface Changing<R extends Named, P extends Plan<R>, Params> {
  params: z.ZodType<Params>;
  params_hint: string;
  plan(ctx: ActionContext, params: Params): Promise<P>;
  title(planned: P, before: R): string;
  /** The parameters of exactly this change, whoever accepts it and whenever. */
  settled?(params: Params, after: R): object;
}

/** Undoing restores the values before. */
export function changing<R extends Named, P extends Plan<R>, Params extends { record_id: string }>(
  family: Family<R, P>,
  { params, params_hint, plan, title, settled }: Changing<R, P, Params>,
): Action<Params> {
  return {
    params,
    params_hint,
    async prepare(ctx, sent) {
      const planned = await plan(ctx, sent);
      const before = planned.before as R;
      const record = { type: singular(family.type), id: before.id };
      const changes = changesOf(await family.fields(ctx, planned), planned);
      return {
        record,
        base_updated_at: before.updated_at,
        tag_id: null,
        params: settled?.(sent, planned.after),
        display: { title: title(planned, before), summary: null, changes },
        apply: async () => ({ ...(await planned.change()), applied: record, undo: undoOf(planned) }),
      };
    },
    async undo(ctx, { undo, applied_record_id }) {
      const { before: values, updated_at }: Undo<R> = JSON.parse(undo ?? '{}');
      const before = await withHolder(ctx, values);
      const planned = await family.change(ctx, applied_record_id ?? '', (current) => {
        if (current.updated_at !== updated_at) throw notUndoable();
        return { ...current, ...before };
      });
      const [now, then] = [planned.before as R, planned.after].map(family.linksOf) as [
        RecordRef[],
        RecordRef[],
      ];
      await requireThere(ctx.table, then, now);
      return planned.change();
    },
  };
}
