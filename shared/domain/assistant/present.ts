import type * as z from 'zod';
import type { Table } from '../../table/table.ts';
import type { Caller } from '../caller.ts';
import { findVisible } from '../records/registry.ts';
import { commentableTypes, singular } from '../records/types.ts';
import type { AssistantReply, Block, Ref, recordRef, StoredBlock } from './block.ts';

/** What replies of the assistant show depends on who reads them, and when. */
export interface Surroundings {
  /** The names of records by type and id; null for hidden ones. */
  labels: ReadonlyMap<string, string | null>;
}

/** Enough for what no assistant wrote. */
export const noSurroundings: Surroundings = { labels: new Map() };

const keyOf = ({ type, id }: Ref) => `${type} ${id}`;

/** The records that blocks refer to. */
function refsOf(blocks: StoredBlock[]): Ref[] {
  const rows = blocks.flatMap((each) => (each.type === 'table' ? each.rows : []));
  return rows.flatMap((row) => row.ref ?? []);
}

/** The name of a record as the caller sees it; null when it is hidden. */
async function labelOf(table: Table, caller: Caller, { type, id }: Ref): Promise<string | null> {
  const recordType = commentableTypes.find((each) => singular(each) === type);
  const record = recordType && (await findVisible(table, caller, { type: recordType, id }));
  return record ? (Object.values(record.label)[0] ?? null) : null;
}

async function readLabels(table: Table, caller: Caller, replies: AssistantReply[]) {
  const refs = replies.flatMap((reply) => [...reply.refs, ...refsOf(reply.blocks)]);
  const distinct = new Map(refs.map((ref) => [keyOf(ref), ref]));
  const labels = [...distinct].map(
    async ([key, ref]): Promise<[string, string | null]> => [key, await labelOf(table, caller, ref)],
  );
  return new Map(await Promise.all(labels));
}

export async function readSurroundings(
  table: Table,
  caller: Caller,
  replies: AssistantReply[],
): Promise<Surroundings> {
  return { labels: await readLabels(table, caller, replies) };
}

function presentRef({ type, id }: Ref, { labels }: Surroundings): z.infer<typeof recordRef> {
  return { type, id, label: labels.get(keyOf({ type, id })) ?? null };
}

function presentBlock(each: StoredBlock, around: Surroundings): Block {
  switch (each.type) {
    case 'table': {
      const rows = each.rows.map(({ cells, ref }) =>
        ref ? { cells, ref: presentRef(ref, around) } : { cells },
      );
      return { ...each, rows };
    }
    case 'proposal':
      return { ...each, status: 'unavailable' };
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
    refs: reply.refs.map((ref) => presentRef(ref, around)),
  };
}
