import type { AgentSlug } from '#shared/domain/assistant/agents/agent.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { RecordItem } from '#shared/domain/collaboration/records/live.ts';
import { requireVisible } from '#shared/domain/collaboration/records/registry.ts';
import { singular, targetTypes } from '#shared/domain/collaboration/records/types.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { Conjunction, ownedBy } from '#shared/domain/platform/postings/conjunction.ts';
import type { ListRange } from '#shared/domain/platform/postings/reader.ts';
import { invalidField } from '#shared/errors.ts';
import { idFloor, keys } from '#shared/table/keys.ts';
import type { AllOf, Table } from '#shared/table/table.ts';
import { type ActionType, ANSWERABLE, type ProposalStatus, storedStatuses } from './proposal.ts';
import { type ProposalPosting, statusList } from './store.ts';

type TargetType = ReturnType<typeof singular<(typeof targetTypes)[number]>>;

/** Records of a type, or one record, by the requested id, the id that this leads to, and those that became part of it. */
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
  const { merged_ids = [] } = (await ctx.table.get<RecordItem>(keys.record(type, id))) ?? {};
  return { type: record_type, ids: [record_id, id, ...merged_ids] };
}

/** A selection of a user's proposals. */
export interface ProposalChoice {
  status: ProposalStatus | 'all';
  action_type?: ActionType | undefined;
  agent_slug?: AgentSlug | undefined;
  target?: Target | undefined;
}

/** An id begins with its time, so it tells what has expired. */
function rangesOf(status: ProposalChoice['status'], now: Date): ListRange<ProposalPosting>[] {
  const answerable = idFloor(now.getTime() - ANSWERABLE + 1);
  switch (status) {
    case 'all':
      return storedStatuses.map((each) => ({ list: statusList(each) }));
    case 'pending':
      return [{ list: statusList('pending'), from: answerable }];
    case 'expired':
      return [{ list: statusList('pending'), before: answerable }];
    default:
      return [{ list: statusList(status) }];
  }
}

function filterOf({ action_type, agent_slug, target }: ProposalChoice): AllOf<ProposalPosting> | undefined {
  const wanted = {
    ...(action_type === undefined ? {} : { action_type }),
    ...(agent_slug === undefined ? {} : { agent_slug }),
    ...(target === undefined ? {} : { record_type: target.type }),
  };
  return Object.keys(wanted).length > 0 ? wanted : undefined;
}

/** Postings of the first read. */
const PAGE = 1_000;

/** The ids of the user's proposals, oldest first. The cost depends on the number of proposals with the status. */
export async function listProposalIds(
  table: Table,
  user_id: string,
  choice: ProposalChoice,
  now: Date,
): Promise<string[]> {
  const filter = filterOf(choice);
  const ranges = rangesOf(choice.status, now).map((range) => ({ ...range, filter }));
  const found = new Conjunction<ProposalPosting>(table, ownedBy(user_id, [ranges]), {
    page_size: PAGE,
    max_steps: Number.POSITIVE_INFINITY,
  });
  const ids = choice.target?.ids && new Set<string | null>(choice.target.ids);
  // Not by the table: a filter names 100 ids, and any number of contacts may be part of one.
  const isWanted = ({ record_id }: ProposalPosting) => !ids || ids.has(record_id);
  return (await found.take(Number.POSITIVE_INFINITY, isWanted)).map(({ SK }) => SK).reverse();
}
