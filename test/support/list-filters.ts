import fc from 'fast-check';
import type { CommonFields, ListedFamily } from './list-model.ts';

/** The filters by values that contacts and organizations both have, for models of their lists. */

type Filter<Fields extends CommonFields> = ListedFamily<Fields>['filters'][string];

export const which = fc.nat({ max: 10_000 });
export const several = (value: fc.Arbitrary<number>) => fc.array(value, { minLength: 1, maxLength: 3 });

export const PHONES = ['+44 20 7946 0123', '0341 555 0199', '12'];

/** Numbers that filters name, and the places of those of PHONES that they find. */
const ASKED: [number: string, finds: number[]][] = [
  ['+44 (0)20 7946 0123', [0]],
  ['0044 2079460123', [0]],
  ['020 7946 0123', [0]],
  ['0341/555-0199', [1]],
  ['+49 341 555 0199', []],
  ['12', [2]],
];

export const byPhoneNumber: Filter<CommonFields & { phone_numbers: string[] }> = {
  drawn: several(fc.nat(ASKED.length - 1)),
  sent: (drawn) => ({ phone_number: drawn.map((at) => ASKED[at]?.[0]).join(',') }),
  keeps: ({ phone_numbers }, { phone_number = '' }) =>
    ASKED.some(
      ([number, finds]) =>
        phone_number.split(',').includes(number) &&
        finds.some((at) => phone_numbers.includes(PHONES[at] as string)),
    ),
};

export const byExternalId: Filter<CommonFields & { external_id: string | null }> = {
  drawn: several(which),
  sent: ([first = 0], { fieldsAt }) => ({ external_id: fieldsAt(first).external_id ?? 'crm' }),
  keeps: (fields, { external_id }) => fields.external_id === external_id,
};
