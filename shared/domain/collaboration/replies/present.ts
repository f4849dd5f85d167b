import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import {
  type AssistantReply,
  type Block,
  type Labels,
  type ProposalBlock,
  presentRef,
  refKey,
  type StoredBlock,
} from './block.ts';

/** What replies of the assistant show depends on who reads them, and when. */
export interface Surroundings {
  reader_id: string | null;
  labels: Labels;
  /** The proposals that the reader sees, by their ids. */
  proposals: ReadonlyMap<string, ProposalBlock>;
}

/** Replies refer to what contexts above know. */
export interface ShowsReplies {
  /** What the replies show to the caller at this moment. */
  readSurroundings(ctx: CallerContext<SeesRecords>, replies: AssistantReply[]): Promise<Surroundings>;
}

/** Enough for what no assistant wrote. */
export const noSurroundings: Surroundings = { reader_id: null, labels: new Map(), proposals: new Map() };

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

/** The text with the reader's names of records instead of those that the user who asked has for them. */
function renamed({ text, names = [] }: AssistantReply, labels: Labels): string {
  let [shown, end] = ['', 0];
  for (const { from, to, ref } of names) {
    const name = labels.get(refKey(ref)) ?? `a hidden ${ref.type.replaceAll('_', ' ')}`;
    shown += (text ?? '').slice(end, from) + name;
    end = to;
  }
  return shown + (text ?? '').slice(end);
}

/** As the reader sees it. Who asked reads the answer as it was given. */
function asReadBy(reply: AssistantReply, asker_id: string, around: Surroundings): AssistantReply {
  if (!reply.names?.length || around.reader_id === asker_id) return reply;
  const text = renamed(reply, around.labels);
  const blocks = reply.blocks.map((each) =>
    each.type === 'text' && each.text === reply.text ? { ...each, text } : each,
  );
  return { ...reply, text, blocks };
}

/** What the records of replies have in common: those of comments and those of messages of conversations. */
export function presentReply(stored: AssistantReply, asker_id: string, around: Surroundings) {
  const reply = asReadBy(stored, asker_id, around);
  return {
    text: reply.text,
    status: reply.status,
    blocks: reply.blocks.map((each) => presentBlock(each, around)),
    refs: reply.refs.map((ref) => presentRef(ref, around.labels)),
  };
}
