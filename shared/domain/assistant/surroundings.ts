import type { Table } from '../../table/table.ts';
import type { Caller } from '../caller.ts';
import type { AssistantReply, Ref, StoredBlock } from './block.ts';
import { readLabels } from './labels.ts';
import type { Surroundings } from './present.ts';

/** The records that blocks refer to. */
function refsOf(blocks: StoredBlock[]): Ref[] {
  const rows = blocks.flatMap((each) => (each.type === 'table' ? each.rows : []));
  return rows.flatMap((row) => row.ref ?? []);
}

/** What the replies show to the caller. */
export async function readSurroundings(
  table: Table,
  caller: Caller,
  replies: AssistantReply[],
): Promise<Surroundings> {
  const refs = replies.flatMap((reply) => [...reply.refs, ...refsOf(reply.blocks)]);
  return { labels: await readLabels(table, caller, refs) };
}
