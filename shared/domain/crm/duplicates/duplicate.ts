import * as z from 'zod';
import { type Contact, type ContactRecord, contactSchema } from '#shared/domain/crm/contacts/contact.ts';
import { fieldSides, side } from '#shared/domain/crm/contacts/merging/fields.ts';
import { idFrom } from '#shared/ids.ts';
import { uuid } from '#shared/values.ts';

/** Contacts that may be one person (docs/specification/records.md, "Duplicates"). */

export const reasons = [
  'same_email',
  'same_phone',
  'same_link',
  'similar_name_same_organization',
  'similar_name',
] as const;

export type Reason = (typeof reasons)[number];

export const duplicateSchema = z
  .strictObject({
    id: uuid,
    contact: contactSchema,
    score: z.number().min(0).max(1).meta({ example: 0.95 }),
    reasons: z.array(z.enum(reasons)).meta({ example: ['same_email', 'similar_name'] }),
  })
  .meta({ id: 'Duplicate' });

/** Which contact of a pair is kept: `this` is the one of the path. */
export const duplicateMerge = z
  .object({ keep: side.default('this'), fields: fieldSides })
  .meta({ id: 'DuplicateMerge' });

/** The other contact of a pair, and why it may be the same person. */
export interface Duplicate {
  id: string;
  contact: Contact;
  score: number;
  reasons: Reason[];
}

/** The id of a pair is the same for both of its contacts. */
export const pairIdOf = (a: string, b: string) => idFrom('duplicate', ...[a, b].toSorted());

export const presentDuplicate = (
  { id, score, reasons }: Duplicate,
  contact: ContactRecord,
): z.input<typeof duplicateSchema> => ({ id, contact, score, reasons });
