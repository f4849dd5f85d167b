import * as z from 'zod';
import { uuid } from '../../values.ts';

/** The structured content of an assistant reply (specification, "Block types"). */

const textBlock = z.strictObject({ type: z.literal('text'), text: z.string() });

const proposalBlock = z.strictObject({
  type: z.literal('proposal'),
  proposal_id: uuid,
  action_type: z.string().optional(),
  status: z.string(),
  record_type: z.string().nullish(),
  record_id: uuid.nullish(),
  applied_record_type: z.string().nullish(),
  applied_record_id: uuid.nullish(),
  display: z.unknown().optional(),
  resolution_reason: z.string().nullish(),
  actions: z.array(z.enum(['accept', 'reject', 'undo'])).optional(),
  tag_id: uuid.nullish(),
});

const cardsBlock = z.strictObject({
  type: z.literal('cards'),
  ids: z.array(uuid),
  card_type: z.enum(['Contact', 'Organization', 'Thread', 'Deal', 'Task']),
  title: z.string().optional(),
});

/** A record that a reply refers to; `label` is null for who cannot see the record. */
export const recordRef = z
  .strictObject({ type: z.string(), id: uuid, label: z.string().nullable() })
  .meta({ id: 'RecordRef' });

const tableBlock = z.strictObject({
  type: z.literal('table'),
  title: z.string().optional(),
  columns: z.array(
    z.strictObject({
      key: z.string(),
      label: z.string(),
      kind: z.enum(['money', 'date', 'number', 'text']).optional(),
    }),
  ),
  rows: z.array(
    z.strictObject({
      cells: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
      ref: recordRef.optional(),
    }),
  ),
});

export const block = z
  .discriminatedUnion('type', [textBlock, proposalBlock, cardsBlock, tableBlock])
  .meta({ id: 'Block' });

export type Block = z.infer<typeof block>;

/** The names of records by type and id, as one reader sees them. */
export type RefLabels = ReadonlyMap<string, string | null>;

interface Ref {
  type: string;
  id: string;
}

export const labelKey = ({ type, id }: Ref) => `${type} ${id}`;

export function withLabel({ type, id }: Ref, labels: RefLabels): z.infer<typeof recordRef> {
  return { type, id, label: labels.get(labelKey({ type, id })) ?? null };
}

export function labelBlock(each: Block, labels: RefLabels): Block {
  if (each.type !== 'table') return each;
  const rows = each.rows.map((row) => (row.ref ? { ...row, ref: withLabel(row.ref, labels) } : row));
  return { ...each, rows };
}

/** The records that blocks refer to. */
export function refsOf(blocks: Block[]): Ref[] {
  const rows = blocks.flatMap((each) => (each.type === 'table' ? each.rows : []));
  return rows.flatMap((row) => row.ref ?? []);
}
