import {
  type Dependent,
  inTransactions,
  keptUnder,
  type Work,
} from '#shared/domain/collaboration/life/dependent.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import type { Write } from '#shared/table/table.ts';
import { type Proposal, statusOf } from './proposal.ts';
import { deletion, type Target } from './store.ts';

/** Proposals that are read together: the worker has little memory. */
const PAGE = 25;

const { moving, returning } = keptUnder(({ type, id }) => keys.proposalTarget(type, id, ''));

const pagesOf = ({ table }: Work, { type, id }: RecordRef) => {
  const { PK, SK } = keys.proposalTarget(type, id, '');
  return table.pages<Target>(PK, SK, { limit: PAGE });
};

/** The open ones among some proposals are deleted, each with its row. */
async function* ending({ table, clock }: Work, rows: Target[]): AsyncGenerator<Write[]> {
  const proposals = await table.getMany<Proposal>(rows.map(({ proposal_id }) => keys.proposal(proposal_id)));
  const open = proposals.filter((each) => statusOf(each, clock()) === 'pending');
  for (const proposal of open) {
    const row = rows.find(({ proposal_id }) => proposal_id === proposal.id) as Target;
    yield [...deletion(proposal), { delete: keyOf(row) }];
  }
}

/**
 * Proposals to change a deleted or merged record. Open ones are deleted with it; answered or expired ones are history
 * and stay. After a merge they stay open for the other record.
 */
export const proposalsOfRecords: Dependent = {
  moving,
  returning,
  async *hiding(work, record) {
    for await (const page of pagesOf(work, record)) yield* ending(work, page);
  },
  async *removing(work, record) {
    for await (const page of pagesOf(work, record)) {
      yield* ending(work, page);
      yield* inTransactions(page.map((target): Write => ({ delete: keyOf(target) })));
    }
  },
};
