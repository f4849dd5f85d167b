import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { requireVisible } from '#shared/domain/collaboration/records/registry.ts';
import { singular, taggableTypes } from '#shared/domain/collaboration/records/types.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { invalidField } from '#shared/errors.ts';
import { idFloor, keys } from '#shared/table/keys.ts';
import type { QueryPage, Table } from '#shared/table/table.ts';
import { ANSWERABLE, type ProposalStatus } from './proposal.ts';
import type { Row } from './store.ts';

/** The types of records that proposals change (docs/specification/records.md, "Record types"). */
export const targetTypes = [...taggableTypes, 'tasks'] as const;

type TargetType = ReturnType<typeof singular<(typeof targetTypes)[number]>>;

/** Records of a type, or one of them: under the id that was asked and the one that this leads to. */
interface Target {
  type: TargetType;
  ids?: string[];
}

/** 404 for a record that the caller does not see, 400 for an id without a type. */
export async function findTarget(
  ctx: CallerContext<SeesRecords>,
  { record_type, record_id }: { record_type?: TargetType | undefined; record_id?: string | undefined },
): Promise<Target | undefined> {
  if (record_id === undefined) return record_type && { type: record_type };
  const type = targetTypes.find((each) => singular(each) === record_type);
  if (!record_type || !type) throw invalidField('record_type', 'required', 'is required with record_id');
  const { id } = await requireVisible(ctx, { type, id: record_id });
  return { type: record_type, ids: [record_id, id] };
}

function isOf(row: Row, { type, ids }: Target): boolean {
  if (row.record_type !== type) return false;
  return ids === undefined || ids.includes(row.record_id ?? '');
}

/** What is kept of a user's proposals. */
export interface ProposalChoice {
  status: ProposalStatus | 'all';
  action_type?: string | undefined;
  agent_slug?: string | undefined;
  target?: Target | undefined;
}

/** The sort keys of a status. An id begins with its time, and so tells what has expired. */
function rangeOf(status: ProposalChoice['status'], now: Date): [string, string] {
  const expired = keys.proposalRow('', 'pending', idFloor(now.getTime() - ANSWERABLE + 1)).SK;
  switch (status) {
    case 'all':
      return ['!', '~'];
    case 'pending':
      return [expired, 'pending#~'];
    case 'expired':
      return ['pending#', expired];
    default:
      return [`${status}#`, `${status}#~`];
  }
}

async function readRows(table: Table, user_id: string, [from, to]: [string, string]): Promise<Row[]> {
  const found: Row[] = [];
  let after: Record<string, unknown> | undefined;
  do {
    const page: QueryPage<Row> = await table.query<Row>({
      partition: keys.proposalRow(user_id, '', '').PK,
      sort: { from: from, to: to },
      limit: 1_000,
      after,
    });
    found.push(...page.items);
    after = page.last;
  } while (after);
  return found;
}

/** The ids of the user's proposals, oldest first. Costs what those of the status are. */
export async function listProposalIds(
  table: Table,
  user_id: string,
  choice: ProposalChoice,
  now: Date,
): Promise<string[]> {
  const { status, action_type, agent_slug, target } = choice;
  const rows = await readRows(table, user_id, rangeOf(status, now));
  return rows
    .filter((row) => action_type === undefined || row.action_type === action_type)
    .filter((row) => agent_slug === undefined || row.agent_slug === agent_slug)
    .filter((row) => !target || isOf(row, target))
    .map((row) => row.id)
    .sort();
}
