import type { Table } from '../../table/table.ts';
import type { Caller } from '../caller.ts';
import { findVisible } from '../records/registry.ts';
import { commentableTypes, singular } from '../records/types.ts';
import { labelKey, type RefLabels, refsOf } from './block.ts';
import type { AssistantReply } from './comment.ts';

/** The names of the records that assistant replies refer to, as the caller sees them; null for those that are hidden. */
export async function refLabels(table: Table, caller: Caller, replies: AssistantReply[]): Promise<RefLabels> {
  const refs = replies.flatMap((reply) => [...reply.refs, ...refsOf(reply.blocks)]);
  const distinct = new Map(refs.map((ref) => [labelKey(ref), ref]));
  const labels = [...distinct].map(async ([key, { type, id }]): Promise<[string, string | null]> => {
    const recordType = commentableTypes.find((each) => singular(each) === type);
    const record = recordType && (await findVisible(table, caller, { type: recordType, id }));
    return [key, record ? (Object.values(record.label)[0] ?? null) : null];
  });
  return new Map(await Promise.all(labels));
}
