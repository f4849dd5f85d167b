import { singular } from '#shared/domain/collaboration/records/types.ts';
import type { StoredBlock } from '#shared/domain/collaboration/replies/block.ts';
import type { RecordType } from '#shared/table/keys.ts';
import type { Toolbox } from '../assistant.ts';
import type { ToolResults } from '../tool-results.ts';
import type { ToolContext } from './context.ts';

/** The assistant's tools for the records of a family. */
export interface RecordTools {
  /** The type of their cards; none for a family without cards. */
  card_type?: Extract<StoredBlock, { type: 'cards' }>['card_type'];
  /** What reading one returns, described for the assistant. */
  reading: string;
  /** 404 for a record that the user does not see. */
  read(ctx: ToolContext, id: string): Promise<ToolResults['read_record']>;
  /** Tools that only this family has. */
  own(ctx: ToolContext): Toolbox;
}

export interface KnowsRecordTools {
  record_tools: Partial<Record<RecordType, RecordTools>>;
}

/** By singular type name. */
export function recordTools({ ports }: ToolContext): Record<string, RecordTools> {
  const families = Object.entries(ports.record_tools);
  return Object.fromEntries(families.map(([type, tools]) => [singular(type as RecordType), tools]));
}
