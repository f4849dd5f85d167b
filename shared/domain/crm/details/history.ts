import { singular } from '#shared/domain/collaboration/records/types.ts';
import type { StoredRecord } from './record.ts';

/** The values of contacts, organizations and deals that their history compares. */

type Named<R> = readonly (keyof R & string)[];

/** These fields as they are stored; custom fields as an object. */
export function valuesOf<R extends StoredRecord>(record: R, fields: Named<R>): Record<string, unknown> {
  const values = Object.fromEntries(fields.map((field) => [field, record[field]]));
  return { ...values, custom_fields: JSON.parse(record.custom_fields) };
}

/** What stands for an organization that the reader may not see. */
export const organizationLink = (id: string | undefined | null) =>
  id ? { type: singular('organizations'), id } : null;
