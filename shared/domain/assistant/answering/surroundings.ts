import { findProposals } from '#shared/domain/assistant/proposals/policy.ts';
import { asReadBy } from '#shared/domain/assistant/proposals/present.ts';
import { presentProposalBlock } from '#shared/domain/assistant/proposals/proposal.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { AssistantReply, Ref, StoredBlock } from '#shared/domain/collaboration/replies/block.ts';
import type { Surroundings } from '#shared/domain/collaboration/replies/present.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { readLabels } from './labels.ts';

/** The records that blocks refer to. */
function refsOf(blocks: StoredBlock[]): Ref[] {
  const rows = blocks.flatMap((each) => (each.type === 'table' ? each.rows : []));
  return rows.flatMap((row) => row.ref ?? []);
}

/** The proposals of all blocks, as they are now. */
async function readProposals(ctx: CallerContext<SeesRecords>, blocks: StoredBlock[]) {
  const ids = blocks.flatMap((each) => (each.type === 'proposal' ? [each.proposal_id] : []));
  if (ids.length === 0) return new Map();
  const found = await findProposals(ctx, ids);
  const read = await asReadBy(ctx, ctx.caller, [...found.values()]);
  return new Map(read.map((proposal) => [proposal.id, presentProposalBlock(proposal, ctx.now)]));
}

/** Reads what these replies show to the caller now. */
export async function readSurroundings(
  ctx: CallerContext<SeesRecords>,
  replies: AssistantReply[],
): Promise<Surroundings> {
  const blocks = replies.flatMap((reply) => reply.blocks);
  const named = replies.flatMap(({ names = [] }) => names.map(({ ref }) => ref));
  const refs = [...replies.flatMap((reply) => reply.refs), ...named, ...refsOf(blocks)];
  const [labels, proposals] = await Promise.all([readLabels(ctx, refs), readProposals(ctx, blocks)]);
  return { reader_id: ctx.caller.user.id, labels, proposals };
}
