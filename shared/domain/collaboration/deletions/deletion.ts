import * as z from 'zod';
import { timestamp, uuid } from '#shared/values.ts';

/** docs/specification/records.md, "Deletions". */
export const deletionSchema = z
  .strictObject({
    id: uuid,
    deleted_at: timestamp,
    merged_into: uuid.nullable(),
    restorable_until: timestamp.nullable(),
  })
  .meta({ id: 'Deletion' });

export type Deletion = z.output<typeof deletionSchema>;
