import type { CommentPointer } from '#shared/domain/collaboration/comments/comment.ts';
import type { RecordRef, SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { isLive } from '#shared/domain/collaboration/records/live.ts';
import { findVisible } from '#shared/domain/collaboration/records/registry.ts';
import { survivorOf } from '#shared/domain/collaboration/records/survivor.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { ApiError, recordNotFound } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import { type Write, when } from '#shared/table/table.ts';
import { type Proposal, statusOf } from './proposal.ts';
import { recordOf, shownRecords } from './store.ts';
import { withTags } from './tags.ts';

/**
 * A proposal is visible to its user and, when it came from a comment, to every user who sees the comment's record and
 * the record it would change, and of a merge both.
 */

type Sees = (record: RecordRef) => Promise<boolean>;

/** Whether the caller sees the record, or the one that it is part of by now. */
async function seesSurvivor(ctx: CallerContext<SeesRecords>, record: RecordRef): Promise<boolean> {
  if (await findVisible(ctx, record)) return true;
  const survivor = await survivorOf(ctx.table, record);
  return survivor.id !== record.id && (await findVisible(ctx, survivor)) !== undefined;
}

/** Checks each record once. */
function seesOf(ctx: CallerContext<SeesRecords>): Sees {
  const asked = new Map<string, Promise<boolean>>();
  return (record) => {
    const key = `${record.type} ${record.id}`;
    const answer = asked.get(key) ?? seesSurvivor(ctx, record);
    asked.set(key, answer);
    return answer;
  };
}

async function seenInComments(ctx: CallerContext<SeesRecords>, proposals: Proposal[]): Promise<Proposal[]> {
  const keyOf = (proposal: Proposal) => keys.commentPointer(proposal.source?.id ?? '');
  const pointers = await ctx.table.getMany<CommentPointer>(proposals.map(keyOf));
  const places = new Map(
    pointers.map(({ PK, record_type, record_id }) => [PK, { type: record_type, id: record_id }]),
  );
  const sees = seesOf(ctx);
  const seen = proposals.map(async (proposal) => {
    const place = places.get(keyOf(proposal).PK);
    if (!place || (proposal.record_id !== null && !recordOf(proposal))) return false;
    const answers = await Promise.all([place, ...shownRecords(proposal)].map(sees));
    return answers.every((each) => each);
  });
  const answers = await Promise.all(seen);
  return proposals.filter((_, i) => answers[i]);
}

/** The proposals that the caller sees, by id. */
export async function findProposals(
  ctx: CallerContext<SeesRecords>,
  ids: string[],
): Promise<Map<string, Proposal>> {
  const { table } = ctx;
  const all = await table.getMany<Proposal>(ids.map(keys.proposal));
  const ofAccount = all.filter((proposal) => proposal.account_id === ctx.caller.account.id);
  const own = ofAccount.filter((proposal) => proposal.user_id === ctx.caller.user.id);
  const others = ofAccount.filter(
    (proposal) => proposal.user_id !== ctx.caller.user.id && proposal.source?.type === 'comment',
  );
  const seen = [...own, ...(await seenInComments(ctx, others))];
  const shown = await withTags(table, ctx.caller.account.id, seen);
  return new Map(shown.map((proposal) => [proposal.id, proposal]));
}

/** 404 for a proposal that the caller does not see. */
export async function requireProposal(ctx: CallerContext<SeesRecords>, id: string): Promise<Proposal> {
  const proposal = (await findProposals(ctx, [id])).get(id);
  if (!proposal) throw recordNotFound();
  return proposal;
}

/** 409 `proposal_already_answered` for a proposal that is no longer pending. */
export async function requirePending(ctx: CallerContext<SeesRecords>, id: string): Promise<Proposal> {
  const proposal = await requireProposal(ctx, id);
  if (statusOf(proposal, ctx.now) !== 'pending') throw new ApiError('proposal_already_answered');
  return proposal;
}

/** 404 when a record that it would change, of a merge either one, is deleted at the same time. */
export function whileRecordsLive(proposal: Proposal): Write[] {
  return shownRecords(proposal).map(({ type, id }) => ({
    ...{ check: keys.record(type, id), when: when(isLive) },
    otherwise: recordNotFound,
  }));
}
