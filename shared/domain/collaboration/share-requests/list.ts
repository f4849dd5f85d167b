import type { SeesRecords, VisibleRecord } from '#shared/domain/collaboration/records/kind.ts';
import { findVisible } from '#shared/domain/collaboration/records/registry.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { keys } from '#shared/table/keys.ts';
import { isApprover } from './policy.ts';
import { presentRequest, type ShareRequest, type ShareRequestRecord, typeOf } from './request.ts';
import type { Row } from './writes.ts';

type Ctx = CallerContext<SeesRecords>;

/** docs/specification/people.md, "Share requests". */
const MOST_LISTED = 100;

export interface RequestChoice {
  direction: 'received' | 'sent';
  status: 'pending' | 'all';
}

/** The newest, pending ones first. */
async function readRows({ table, caller }: Ctx, { direction, status }: RequestChoice): Promise<Row[]> {
  const { PK, SK } =
    status === 'all'
      ? keys.shareRequests(caller.user.id, direction)
      : keys.shareRequestRow(caller.user.id, direction, true, '');
  const range = { partition: PK, sort: { begins: SK }, newest_first: true, limit: MOST_LISTED };
  return (await table.query<Row>(range)).items;
}

const refOf = (row: Pick<Row, 'record_type' | 'record_id'>) => ({ type: typeOf(row), id: row.record_id });

/** By the ids that requests name, the records that the caller sees. */
async function readRecords(
  ctx: Ctx,
  rows: Pick<Row, 'record_type' | 'record_id'>[],
): Promise<Map<string, VisibleRecord>> {
  const refs = [...new Map(rows.map((row) => [row.record_id, refOf(row)])).values()];
  const seen = await Promise.all(refs.map(async (ref) => [ref.id, await findVisible(ctx, ref)] as const));
  return new Map(seen.flatMap(([id, record]) => (record ? [[id, record] as const] : [])));
}

/** Who asks learns what it is with the approval. */
const mayShow = (ctx: Ctx, request: ShareRequest) =>
  isApprover(ctx, request) || request.status === 'approved';

const shown = (ctx: Ctx, request: ShareRequest, records: ReadonlyMap<string, VisibleRecord>) =>
  presentRequest(request, mayShow(ctx, request) ? records.get(request.record_id) : undefined);

export async function listRequests(ctx: Ctx, choice: RequestChoice): Promise<ShareRequestRecord[]> {
  const rows = await readRows(ctx, choice);
  const nothingToShow = choice.direction === 'sent' && choice.status === 'pending';
  const [requests, records] = await Promise.all([
    ctx.table.getMany<ShareRequest>(rows.map(({ request_id }) => keys.shareRequest(request_id))),
    readRecords(ctx, nothingToShow ? [] : rows),
  ]);
  const byId = new Map(requests.map((request) => [request.id, request]));
  return rows.flatMap(({ request_id }) => {
    const request = byId.get(request_id);
    return request ? [shown(ctx, request, records)] : [];
  });
}

/** One request as the caller sees it. */
export async function presentOne(ctx: Ctx, request: ShareRequest): Promise<ShareRequestRecord> {
  return shown(ctx, request, await readRecords(ctx, mayShow(ctx, request) ? [request] : []));
}

/** How many requests the user has to answer, as far as the list has them. */
export function countPending({ table, caller }: Pick<CallerContext, 'table' | 'caller'>): Promise<number> {
  const { PK, SK } = keys.shareRequestRow(caller.user.id, 'received', true, '');
  return table.count({ partition: PK, sort: { begins: SK } }, MOST_LISTED);
}
