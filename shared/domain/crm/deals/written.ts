import * as z from 'zod';
import { clearableText, currency, isoDate, nameText, uuid } from '#shared/values.ts';
import { line } from '../details/written.ts';

/** The values that requests send of a deal (docs/specification/records.md, "Deals"). */

/**
 * People of one deal. One transaction contains the deal, two items for each new person and one for each that leaves, the
 * same for its organization, four for its stages, two for histories, two external ids, notifications, and the proposal that
 * caused it: 100 items at most.
 */
export const MAX_CONTACTS = 25;

/** JavaScript writes numbers up to here with all their digits. */
const LARGEST = 1e15;

/** Currencies have four at most (ISO 4217). Digits decide: a fraction such as 0.1 is none in binary. */
const hasFourDecimals = (amount: number) => /^\d+(\.\d{1,4})?$/.test(String(amount));

/** A number of JavaScript keeps any 15, and changes some of more: 999999999999999.1234 is read as 999999999999999.1. */
const SIGNIFICANT = 15;

const isKept = (amount: number) =>
  String(amount).replace('.', '').replace(/^0+/, '').replace(/0+$/, '').length <= SIGNIFICANT;

const amount = z
  .number()
  .min(0)
  .max(LARGEST)
  .refine(hasFourDecimals, {
    error: 'must have at most 4 decimals',
    params: { field_code: 'invalid' },
  })
  .refine(isKept, {
    error: `must have at most ${SIGNIFICANT} significant digits: a number keeps no more`,
    params: { field_code: 'invalid' },
  })
  .meta({ example: 12_500 });

/** DynamoDB has no numbers closer to 0 (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Limits.html). */
const SMALLEST = 1e-100;

export const LAST_POSITION = LARGEST;

const position = z
  .number()
  .min(-LARGEST)
  .max(LAST_POSITION)
  .transform((value) => (Math.abs(value) < SMALLEST ? 0 : value))
  .meta({ example: 3 });

export const written = {
  name: nameText(255).meta({ example: 'Fleet renewal' }),
  pipeline_id: uuid.optional(),
  stage_id: uuid.optional(),
  amount: amount.nullish(),
  currency: currency.nullish(),
  probability: z.int().min(0).max(100).nullish(),
  expected_close_on: isoDate.nullish(),
  lost_reason: line,
  description: clearableText(20_000).optional(),
  position: position.optional(),
  assigned_user_id: uuid.nullish(),
  organization_id: uuid.nullish(),
  contact_ids: z.array(uuid).max(MAX_CONTACTS).optional(),
  contacts: z
    .array(z.object({ id: uuid, role: line }))
    .max(MAX_CONTACTS)
    .optional(),
};
