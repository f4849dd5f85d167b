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
  type StoredRow,
} from './block.ts';

/** What is needed to present replies to one reader at one time. */
export interface Surroundings {
  reader_id: string | null;
  labels: Labels;
  /** The proposals that the reader sees, by id. */
  proposals: ReadonlyMap<string, ProposalBlock>;
}

/** Replies refer to records of higher contexts. */
export interface ShowsReplies {
  /** Reads what these replies show to the caller now. */
  readSurroundings(ctx: CallerContext<SeesRecords>, replies: AssistantReply[]): Promise<Surroundings>;
}

/** For content without replies of the assistant. */
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

/** The text with the reader's names of records in place of those of the user who asked. */
function renamed({ text, names = [] }: AssistantReply, labels: Labels): string {
  let [shown, end] = ['', 0];
  for (const { from, to, ref } of names) {
    const name = labels.get(refKey(ref)) ?? `a hidden ${ref.type.replaceAll('_', ' ')}`;
    shown += (text ?? '').slice(end, from) + name;
    end = to;
  }
  return shown + (text ?? '').slice(end);
}

/** Cells may have the name of their record: they are empty where the reader does not see it, or under another name. */
function rowFor(labels: Labels, { cells, ref }: StoredRow): StoredRow {
  if (!ref) return { cells };
  const label = labels.get(refKey(ref));
  const isSame = ref.name === undefined ? label !== undefined : label === ref.name;
  return { cells: isSame ? cells : Object.fromEntries(Object.keys(cells).map((key) => [key, null])), ref };
}

/** The reply as the reader sees it. The user who asked sees it unchanged. */
function asReadBy(reply: AssistantReply, asker_id: string, around: Surroundings): AssistantReply {
  if (around.reader_id === asker_id) return reply;
  const { labels } = around;
  const text = reply.names?.length ? renamed(reply, labels) : reply.text;
  const blocks = reply.blocks.map((each): StoredBlock => {
    if (each.type === 'table') return { ...each, rows: each.rows.map((row) => rowFor(labels, row)) };
    return each.type === 'text' && each.text === reply.text ? { ...each, text: text ?? '' } : each;
  });
  return { ...reply, text, blocks };
}

/** The fields that comments and messages with replies have in common. */
export function presentReply(stored: AssistantReply, asker_id: string, around: Surroundings) {
  const reply = asReadBy(stored, asker_id, around);
  return {
    text: reply.text,
    status: reply.status,
    blocks: reply.blocks.map((each) => presentBlock(each, around)),
    refs: reply.refs.map((ref) => presentRef(ref, around.labels)),
  };
}
