import type * as z from 'zod';
import type { ExternalIds } from '#shared/domain/collaboration/records/external-ids.ts';
import type { Plan } from '#shared/domain/collaboration/records/plan.ts';
import type { Cells } from './cells.ts';
import type { ImportableType } from './fields.ts';
import type { ImportContext, SentRow } from './row.ts';

/** How rows become records of a type, by the same functions as the requests that create and change them. */
export interface Family<Record, Draft> {
  type: ImportableType;
  /** The body of a request that creates one. */
  draft: z.ZodType<Draft>;
  external_ids: ExternalIds;
  /** Planning the writes finds what else would refuse them, and writes nothing. */
  tried: boolean;
  rowOf(cells: Cells): SentRow;
  /** Finds the records that a row names by other things than ids. */
  resolve?(ctx: ImportContext, row: SentRow, options: ImportOptions): Promise<SentRow>;
  /** What rows share that must be stored one after the other. */
  turnsOf(draft: Draft): string[];
  create(ctx: ImportContext, draft: Draft, id: string): Promise<Plan<Record>>;
  update(ctx: ImportContext, id: string, draft: Draft): Promise<Plan<Record>>;
}

export interface ImportOptions {
  /** Of deals whose rows name none. */
  pipeline_id: string | null;
}
