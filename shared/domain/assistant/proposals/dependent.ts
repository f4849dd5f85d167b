import { type Dependent, inTransactions, keptUnder } from '#shared/domain/collaboration/life/dependent.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import type { Write } from '#shared/table/table.ts';
import { type Proposal, statusOf } from './proposal.ts';
import { deletion, type Target } from './store.ts';

const targets = keptUnder(({ type, id }) => keys.proposalTarget(type, id, ''));

/**
 * Proposals to change a deleted or merged record. Open ones are deleted with it; answered or expired ones are history
 * and stay. After a merge they stay open for the other record.
 */
export const proposalsOfRecords: Dependent = {
  moving: targets.moving,
  async *removing({ table, clock }, { type, id }) {
    const { PK, SK } = keys.proposalTarget(type, id, '');
    for await (const page of table.pages<Target>(PK, SK)) {
      const proposals = await table.getMany<Proposal>(
        page.map(({ proposal_id }) => keys.proposal(proposal_id)),
      );
      const open = proposals.filter((each) => statusOf(each, clock()) === 'pending');
      for (const proposal of open) yield deletion(proposal);
      yield* inTransactions(page.map((target): Write => ({ delete: keyOf(target) })));
    }
  },
};
