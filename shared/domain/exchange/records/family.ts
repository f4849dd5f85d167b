import type * as z from 'zod';
import type { ExternalIds } from '#shared/domain/collaboration/records/external-ids.ts';
import type { Plan } from '#shared/domain/collaboration/records/plan.ts';
import type { Cells } from './cells.ts';
import type { ImportableType } from './fields.ts';
import type { ImportContext, SentRow } from './row.ts';

/** How rows become records of a type, by the same functions as the requests that create and change them. */
interface AnyRows<Draft, Row extends SentRow> {
  type: ImportableType;
  /** The body of a request that creates one. */
  draft: z.ZodType<Draft>;
  /** Finds the records that a row names by other things than ids. */
  resolve?(ctx: ImportContext, row: Row, options: ImportOptions): Promise<Row>;
  /** What rows share that must be stored one after the other. */
  turnsOf(draft: Draft, row: Row): string[];
}

/** Records with external ids, from rows of any format. */
export interface Family<Record, Draft> extends AnyRows<Draft, SentRow> {
  external_ids: ExternalIds;
  /** Planning the writes finds what else would refuse them, and writes nothing. */
  tried: boolean;
  rowOf(cells: Cells): SentRow;
  create(ctx: ImportContext, draft: Draft, id: string): Promise<Plan<Record>>;
  update(ctx: ImportContext, id: string, draft: Draft): Promise<Plan<Record>>;
}

/** What a row makes of a record. */
export interface Planned<Record> {
  plan: Plan<Record>;
  id: string;
  /** Now, or by a run of the same row that was interrupted. */
  created: boolean;
}

/** Records that rows find by other names, and whose ids follow from these. */
export interface FindingFamily<Record, Draft, Row extends SentRow> extends AnyRows<Draft, Row> {
  /** `row` names the row of the import. Undefined when there is nothing to do, and no record. */
  plan(ctx: ImportContext, draft: Draft, sent: Row, row: string): Promise<Planned<Record> | undefined>;
}

export interface ImportOptions {
  /** Of deals whose rows name none. */
  pipeline_id: string | null;
  /** Of calendar events. */
  calendar_id: string | null;
}
