import type { Table } from '../../table/table.ts';
import { readLabels } from '../assistant/labels.ts';
import type { Caller } from '../caller.ts';
import { type Proposal, presentProposal } from './proposal.ts';

/** Proposals as the caller reads them, each with the name of its source. */
export async function presentProposals(table: Table, caller: Caller, proposals: Proposal[], now: Date) {
  const sources = proposals.flatMap(({ source }) => source ?? []);
  const labels = await readLabels(table, caller, sources);
  return proposals.map((proposal) => presentProposal(proposal, labels, now));
}

export async function presentOne(table: Table, caller: Caller, proposal: Proposal, now: Date) {
  const [presented] = await presentProposals(table, caller, [proposal], now);
  return { proposal: presented as NonNullable<typeof presented> };
}
