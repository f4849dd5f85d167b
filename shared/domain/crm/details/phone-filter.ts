import type { Criterion } from '#shared/domain/collaboration/record-lists/criteria.ts';
import { phoneKeys, phoneKeyWord } from '#shared/domain/collaboration/record-lists/phones.ts';
import { several, valuesOf } from '#shared/domain/collaboration/record-lists/several.ts';
import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import { phoneNumber } from './written.ts';

/** The filter of contacts and organizations by phone number (docs/specification/records.md, "Phone numbers"). */

/** In a URL, a `+` that is not encoded is a space. */
const withPlus = (sent: string) => sent.replaceAll(/(^|,) (?=\d)/g, '$1+');

export const phoneFilter = {
  phone_number: several(phoneNumber, withPlus).optional().meta({
    description:
      'The records with these phone numbers, however they are written: with the code of the country, encoded as `%2B44`, the same number in E.164; without it the numbers that are dialled so in their country',
    example: '+442079460123',
  }),
};

type WithPhones = GuardedItem & { phone_numbers: { phone_number: string }[] };

export function phoneCriteria<R extends WithPhones>(sent: string | undefined): Criterion<R>[] {
  if (sent === undefined) return [];
  const wanted = new Set(valuesOf(sent).map((number) => phoneKeys(number)[0] ?? number));
  const keeps = ({ phone_numbers }: R) =>
    phone_numbers.some(({ phone_number }) => phoneKeys(phone_number).some((key) => wanted.has(key)));
  return [{ terms: [[...wanted].map(phoneKeyWord)], keeps }];
}
