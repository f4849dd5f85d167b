import {
  type AssistantReply,
  type Block,
  type Labels,
  type ProposalBlock,
  presentRef,
  type StoredBlock,
} from './block.ts';

/** What replies of the assistant show depends on who reads them, and when. */
export interface Surroundings {
  labels: Labels;
  /** The proposals that the reader sees, by their ids. */
  proposals: ReadonlyMap<string, ProposalBlock>;
}

/** Enough for what no assistant wrote. */
export const noSurroundings: Surroundings = { labels: new Map(), proposals: new Map() };

function presentBlock(each: StoredBlock, { labels, proposals }: Surroundings): Block {
  switch (each.type) {
    case 'table': {
      const rows = each.rows.map(({ cells, ref }) =>
        ref ? { cells, ref: presentRef(ref, labels) } : { cells },
      );
      return { ...each, rows };
    }
    case 'proposal':
      return proposals.get(each.proposal_id) ?? { ...each, status: 'unavailable' };
    default:
      return each;
  }
}

/** What the records of replies have in common: those of comments and those of messages of conversations. */
export function presentReply(reply: AssistantReply, around: Surroundings) {
  return {
    text: reply.text,
    status: reply.status,
    blocks: reply.blocks.map((each) => presentBlock(each, around)),
    refs: reply.refs.map((ref) => presentRef(ref, around.labels)),
  };
}
