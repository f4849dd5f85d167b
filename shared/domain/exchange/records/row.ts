import type * as z from 'zod';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { tagDraft } from '#shared/domain/collaboration/tags/tag.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { Fields, parseShape } from '#shared/fields.ts';

import type { Style } from './written-values.ts';

/** A row as the body of a request that creates a record. */
export interface SentRow {
  draft: Record<string, unknown>;
  /** Names of tags. */
  tags: string[];
  /** Where an export wrote the id of the record for want of an external id. */
  record_id?: string;
  /** How the values of a table are written. */
  style?: Style;
  /** Is stored when all rows without this are, wherever it is in the file. */
  later?: boolean;
}

export type ImportPorts = SeesRecords & KeepsLists;

export type ImportContext = CallerContext<ImportPorts>;

/** As a request is checked: 400 with all bad fields. */
export function checked<Schema extends z.ZodType>(
  schema: Schema,
  { draft, tags }: SentRow,
): z.output<Schema> {
  const fields = new Fields();
  const parsed = parseShape(schema, draft, fields);
  tags.forEach((name, i) => {
    const found = new Fields();
    parseShape(tagDraft, { name }, found);
    for (const { code, message } of Object.values(found.found)) fields.add(`tags.${i}`, code, message);
  });
  fields.throwIfAny();
  return parsed as z.output<Schema>;
}

/** Those of `sent` that a record does not have yet, after its own; undefined when it has all. */
export function added<Own, Sent>(
  own: Own[],
  sent: Sent[] | undefined,
  { same, keep }: { same: (own: Own, sent: Sent) => boolean; keep: (own: Own) => Sent },
): Sent[] | undefined {
  const wanted = (sent ?? []).filter((each) => !own.some((known) => same(known, each)));
  return wanted.length === 0 ? undefined : [...own.map(keep), ...wanted];
}

/** Ids in a list of ids. */
export const addedIds = (own: string[], sent: string[] | undefined): string[] | undefined =>
  added(own, sent, { same: (a, b) => a === b, keep: (id) => id });
