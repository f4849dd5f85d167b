import * as z from 'zod';
import { uuid } from '#shared/values.ts';
import { proposalDisplay } from './display.ts';

/** The structured content of an assistant reply (docs/specification/assistant.md, "Blocks"). */

const textBlock = z.strictObject({ type: z.literal('text'), text: z.string() }).meta({ id: 'TextBlock' });

const proposalBlock = z
  .strictObject({
    type: z.literal('proposal'),
    proposal_id: uuid,
    action_type: z.string().optional(),
    status: z.string(),
    record_type: z.string().nullish(),
    record_id: uuid.nullish(),
    applied_record_type: z.string().nullish(),
    applied_record_id: uuid.nullish(),
    display: proposalDisplay.optional(),
    resolution_reason: z
      .string()
      .nullish()
      .meta({ description: 'Its first 255 characters: the proposal has all of it' }),
    actions: z.array(z.enum(['accept', 'reject', 'undo'])).optional(),
    tag_id: uuid.nullish(),
  })
  .meta({ id: 'ProposalBlock' });

const cardsBlock = z
  .strictObject({
    type: z.literal('cards'),
    ids: z.array(uuid),
    card_type: z.enum(['Contact', 'Organization', 'Thread', 'Deal', 'Task']),
    title: z.string().optional(),
  })
  .meta({ id: 'CardsBlock' });

/** A record that a reply refers to; `label` is null when the reader cannot see the record. */
export const recordRef = z
  .strictObject({ type: z.string(), id: uuid, label: z.string().nullable() })
  .meta({ id: 'RecordRef' });

const tableBlock = z
  .strictObject({
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
  })
  .meta({ id: 'TableBlock' });

export const block = z
  .discriminatedUnion('type', [textBlock, proposalBlock, cardsBlock, tableBlock])
  .meta({ id: 'Block' });

export type Block = z.infer<typeof block>;

export type ProposalBlock = z.infer<typeof proposalBlock>;

/** A reference to a record: `type` is in the singular, `calendar_event`. */
export interface Ref {
  type: string;
  id: string;
}

/** The names of records by `refKey` for one user, null for those without one. Hidden ones are missing. */
export type Labels = ReadonlyMap<string, string | null>;

export const refKey = ({ type, id }: Ref) => `${type} ${id}`;

export function presentRef({ type, id }: Ref, labels: Labels): z.infer<typeof recordRef> {
  return { type, id, label: labels.get(refKey({ type, id })) ?? null };
}

type Table = Extract<Block, { type: 'table' }>;

/** `name`, where names depend on the reader: the one that the user who asked sees. */
export interface StoredRow {
  cells: Table['rows'][number]['cells'];
  ref?: Ref & { name?: string | null };
}

/** A block as stored; parts that depend on the reader or the time are added when it is read. */
export type StoredBlock =
  | Extract<Block, { type: 'text' | 'cards' }>
  | { type: 'proposal'; proposal_id: string }
  | (Omit<Table, 'rows'> & { rows: StoredRow[] });

/** A record's name in the text of a reply, as the user who asked sees it: UTF-16 units. */
export interface Naming {
  from: number;
  to: number;
  ref: Ref;
}

/** A reply of the assistant, in a comment, a conversation or a briefing. */
export interface AssistantReply {
  status: 'pending' | 'complete' | 'failed';
  /** Null while pending, and where no assistant wrote; the reason when it failed. */
  text: string | null;
  /** In text order. */
  names?: Naming[];
  blocks: StoredBlock[];
  refs: Ref[];
}

export const pendingReply: AssistantReply = { status: 'pending', text: null, blocks: [], refs: [] };
