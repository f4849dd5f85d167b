import * as z from 'zod';
import { nameText, text, uuid } from '#shared/values.ts';

/** The values that requests send of a file (docs/specification/records.md, "Files"). */

/**
 * Records that one file is linked to. One transaction contains the file, its upload, two items for each new link and one
 * for each that ends, and a job: 100 items at most.
 */
export const MAX_LINKS = 30;

const links = z.array(uuid).max(MAX_LINKS).optional();

export const written = {
  upload_id: uuid,
  name: nameText(255).optional(),
  description: text(20_000)
    .transform((sent) => sent.trim() || null)
    .nullish(),
  contact_ids: links,
  organization_ids: links,
  deal_ids: links,
  space_ids: links,
  calendar_event_id: uuid.nullish(),
  visibility: z.enum(['account', 'private', 'linked']).optional(),
};
