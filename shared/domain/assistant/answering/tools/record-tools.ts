import { singular } from '#shared/domain/collaboration/records/types.ts';
import type { StoredBlock } from '#shared/domain/collaboration/replies/block.ts';
import type { RecordType } from '#shared/table/keys.ts';
import type { Toolbox } from '../assistant.ts';
import type { ToolResults } from '../views.ts';
import type { ToolContext } from './context.ts';

/** What the assistant can do with the records of a family. */
export interface RecordTools {
  /** What cards of them are called. */
  card_type: Extract<StoredBlock, { type: 'cards' }>['card_type'];
  /** What reading one tells, for the assistant. */
  reading: string;
  /** 404 for a record that the user does not see. */
  read(ctx: ToolContext, id: string): Promise<ToolResults['read_record']>;
  /** Tools that only this family has. */
  own(ctx: ToolContext): Toolbox;
}

export interface KnowsRecordTools {
  record_tools: Partial<Record<RecordType, RecordTools>>;
}

/** By the name of one record. */
export function recordTools({ ports }: ToolContext): Record<string, RecordTools> {
  const families = Object.entries(ports.record_tools);
  return Object.fromEntries(families.map(([type, tools]) => [singular(type as RecordType), tools]));
}
