import type { Plan } from '#shared/domain/collaboration/records/plan.ts';
import { findVisible } from '#shared/domain/collaboration/records/registry.ts';
import { tagRecordWith } from '#shared/domain/collaboration/tags/apply.ts';
import { missingTags } from '#shared/domain/collaboration/tags/missing.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { ApiError } from '#shared/errors.ts';
import { describeError, getLogger } from '#shared/log.ts';
import { isOutage } from '#shared/table/failures.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { ConditionFailed, ItemTooLarge } from '#shared/table/table.ts';
import type { Turns } from '#shared/turns.ts';
import type { AnyFamily } from './families.ts';
import type { Family, FindingFamily, ImportOptions } from './family.ts';
import { checked, type ImportContext, type SentRow } from './row.ts';

/** Makes a row a record, or only finds out what it would become. */

/** What is wrong with a row, as the response of a request would say it. */
export interface RowError {
  code: string;
  message: string;
  fields: { field: string; code: string; message: string }[];
}

export type RowOutcome =
  | { status: 'created' | 'updated' | 'unchanged'; record_id: string | null }
  | { status: 'failed'; error: RowError };

export interface Target {
  /** Of the record that the row creates: always the same for the same row of the same import. */
  id: string;
  /** The record exists: an interrupted run created it. */
  there: boolean;
  /** The run is repeated after an error that nothing explains. */
  patient: boolean;
  dry_run: boolean;
  options: ImportOptions;
  turns: Turns;
}

/** Fields of one row that are listed. */
const SHOWN_FIELDS = 10;

export function rowError({ code, message, fields = {} }: ApiError): RowError {
  const shown = Object.entries(fields).slice(0, SHOWN_FIELDS);
  return { code, message, fields: shown.map(([field, { code, message }]) => ({ field, code, message })) };
}

/** The record with the external id. 409 for that of a hidden one. */
async function recordWith<R, D>(
  ctx: ImportContext,
  { type, external_ids }: Family<R, D>,
  external_id: string | null | undefined,
): Promise<string | undefined> {
  if (external_id == null) return undefined;
  const id = await external_ids.holder(ctx, external_id);
  if (id === undefined) return undefined;
  if (!(await findVisible(ctx, { type, id }))) throw external_ids.taken();
  return id;
}

interface Stored {
  status: 'created' | 'updated' | 'unchanged';
  record_id: string | null;
  /** Names of tags that it is to get. */
  tags: string[];
}

const tagsOf = (record: unknown) => (record as { tag_ids?: Set<string> } | undefined)?.tag_ids ?? [];

type Identified = { external_id?: string | null | undefined };

interface Checked<D> {
  draft: D;
  row: SentRow;
}

/** The record that a row changes, if there is one, and what it says of it. */
async function knownBy<R, D extends Identified>(
  ctx: ImportContext,
  family: Family<R, D>,
  { draft, row: { record_id } }: Checked<D>,
): Promise<{ known: string | undefined; draft: D }> {
  const known = await recordWith(ctx, family, draft.external_id);
  if (known !== undefined || record_id === undefined) return { known, draft };
  if (!(await findVisible(ctx, { type: family.type, id: record_id }))) return { known: undefined, draft };
  return { known: record_id, draft: { ...draft, external_id: undefined } };
}

async function storeDraft<R, D extends Identified>(
  ctx: ImportContext,
  family: Family<R, D>,
  checked: Checked<D>,
  { id, dry_run }: Target,
): Promise<Stored> {
  const { known, draft } = await knownBy(ctx, family, checked);
  // Another run of the import has just created it.
  if (known === id) return { status: 'created', record_id: id, tags: checked.row.tags };
  const plan: Plan<R> = await (known === undefined
    ? family.create(ctx, draft, id)
    : family.update(ctx, known, draft));
  const tags = await missingTags(ctx, tagsOf(plan.before), checked.row.tags);
  if (!dry_run) await commit(ctx, await plan.change());
  else if (family.tried) await plan.change();
  if (known === undefined) return { status: 'created', record_id: dry_run ? null : id, tags };
  const isSame = plan.after === plan.before && tags.length === 0;
  return { status: isSame ? 'unchanged' : 'updated', record_id: known, tags };
}

/** Created by a run that was interrupted after this, or by another one just now. */
async function isThere(ctx: ImportContext, { type }: Family<never, never>, id: string): Promise<boolean> {
  return (await ctx.table.get(keys.record(type, id))) !== undefined;
}

async function storeOnce<R, D extends Identified>(
  ctx: ImportContext,
  family: Family<R, D>,
  checked: Checked<D>,
  target: Target,
): Promise<Stored> {
  const created: Stored = { status: 'created', record_id: target.id, tags: checked.row.tags };
  if (target.there) return created;
  try {
    return await retryOnConflict(() => storeDraft(ctx, family, checked, target));
  } catch (error) {
    const own = family as unknown as Family<never, never>;
    const interfered = error instanceof ConditionFailed || error instanceof ApiError;
    if (!target.dry_run && interfered && (await isThere(ctx, own, target.id))) return created;
    throw error;
  }
}

async function tag<R, D>(
  ctx: ImportContext,
  { type }: Family<R, D>,
  id: string,
  names: string[],
): Promise<void> {
  if (type === 'tasks') return;
  for (const name of names) await tagRecordWith(ctx, { type, id }, { name });
}

/** A record that the row finds itself, without tags. */
async function storeFound<R, D, Row extends SentRow>(
  ctx: ImportContext,
  family: FindingFamily<R, D, Row>,
  { draft, row }: { draft: D; row: Row },
  { id: row_id, dry_run }: Target,
): Promise<Omit<Stored, 'tags'>> {
  const planned = await family.plan(ctx, draft, row, row_id);
  if (!planned) return { status: 'unchanged', record_id: null };
  const { plan, id, created } = planned;
  const change = await plan.change();
  if (!dry_run && plan.after !== plan.before) await commit(ctx, change);
  if (created) return { status: 'created', record_id: dry_run && !plan.before ? null : id };
  return { status: plan.after === plan.before ? 'unchanged' : 'updated', record_id: id };
}

async function store(
  ctx: ImportContext,
  family: AnyFamily,
  row: SentRow,
  target: Target,
): Promise<Omit<Stored, 'tags'>> {
  const resolved = family.resolve ? await family.resolve(ctx, row, target.options) : row;
  const { turns } = target;
  if ('plan' in family) {
    const draft = checked(family.draft, resolved);
    return turns.take(family.turnsOf(draft, resolved), () =>
      retryOnConflict(() => storeFound(ctx, family, { draft, row: resolved }, target)),
    );
  }
  const draft = checked(family.draft, resolved);
  const { external_id } = draft;
  const shared = external_id == null ? [] : [`external:${external_id}`];
  const keys = [...family.turnsOf(draft, resolved), ...shared];
  const { tags, ...stored } = await turns.take(keys, () =>
    storeOnce(ctx, family, { draft, row: resolved }, target),
  );
  if (stored.record_id !== null && !target.dry_run) await tag(ctx, family, stored.record_id, tags);
  return stored;
}

/** An outage is not the row's fault, and is thrown: the run repeats. Every other error is the result of the row, in the end. */
export async function storeRow(
  ctx: ImportContext,
  family: AnyFamily,
  row: SentRow,
  target: Target,
): Promise<RowOutcome> {
  try {
    return await store(ctx, family, row, target);
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return { status: 'failed', error: rowError(error) };
    if (error instanceof ItemTooLarge)
      return {
        status: 'failed',
        error: rowError(
          new ApiError('invalid_request', { message: 'The row makes a record that is too large.' }),
        ),
      };
    const passing = error instanceof ConditionFailed || error instanceof ApiError || isOutage(error);
    if (passing || target.patient) throw error;
    getLogger().error('a row cannot be stored', { error: describeError(error) });
    return { status: 'failed', error: rowError(new ApiError('error')) };
  }
}
