import type { Context } from '#shared/context.ts';
import { readLabels } from '#shared/domain/assistant/answering/labels.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { type Ref, refKey } from '#shared/domain/collaboration/replies/block.ts';
import { withoutNamed, withoutNames } from '#shared/domain/collaboration/replies/display.ts';
import type { Caller, CallerContext } from '#shared/domain/identity/caller.ts';
import { type Proposal, presentProposal } from './proposal.ts';

/** The record that the display names as the proposal's user sees it, when the reader is another user. */
function namedForAnother(
  { user_id, record_type: type, record_id: id, display }: Proposal,
  reader: Caller,
): Ref[] {
  return user_id !== reader.user.id && display.summary !== null && type && id ? [{ type, id }] : [];
}

/** Other users' proposals with the reader's names for their records, and without the names of further records. */
export async function asReadBy(
  ctx: Context<SeesRecords>,
  reader: Caller,
  proposals: Proposal[],
): Promise<Proposal[]> {
  const targets = proposals.flatMap((proposal) => namedForAnother(proposal, reader));
  const labels = await readLabels({ ...ctx, caller: reader }, targets);
  return proposals.map((proposal) => {
    const { user_id, display, params } = proposal;
    if (user_id === reader.user.id) return proposal;
    const [target] = namedForAnother(proposal, reader);
    const shown = target ? { ...display, summary: labels.get(refKey(target)) ?? null } : display;
    return {
      ...proposal,
      display: { ...shown, changes: withoutNames(shown.changes) },
      params: JSON.stringify(withoutNamed(JSON.parse(params))),
    };
  });
}

/** Proposals as the caller sees them, each with the name of its source. */
export async function presentProposals(ctx: CallerContext<SeesRecords>, proposals: Proposal[]) {
  const sources = proposals.flatMap(({ source }) => source ?? []);
  const [labels, read] = await Promise.all([readLabels(ctx, sources), asReadBy(ctx, ctx.caller, proposals)]);
  return read.map((proposal) => presentProposal(proposal, labels, ctx.now));
}

export async function presentOne(ctx: CallerContext<SeesRecords>, proposal: Proposal) {
  const [presented] = await presentProposals(ctx, [proposal]);
  return { proposal: presented as NonNullable<typeof presented> };
}
