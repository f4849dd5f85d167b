import * as z from 'zod';
import {
  ENTRIES,
  type Entries,
  line,
  onePrimary,
  refuseEntry,
  webAddress,
} from '#shared/domain/crm/details/written.ts';
import { timeZone } from '#shared/time-zone.ts';
import { emailAddress, isoDate, nameText, text, uuid } from '#shared/values.ts';

/** The values that requests send of a contact (docs/specification/records.md, "Contacts"). */

/**
 * One transaction contains the contact, its addresses, two external ids when that changes, and the proposal that caused
 * it: 100 items at most. Its postings use the remaining room.
 */
export const EMAIL_ADDRESSES = 90;

function noDuplicates(context: Entries<{ email_address: string }>): void {
  const addresses = context.value.map((entry) => entry.email_address);
  addresses.forEach((address, i) => {
    if (addresses.indexOf(address) < i) refuseEntry(context, i, 'email_address', 'is given twice');
  });
}

const emailEntry = z.object({ email_address: emailAddress, label: line, primary: z.boolean().optional() });

/** Exactly one of id and name. */
const organizationChoice = z
  .object({ id: uuid.optional(), name: nameText(255).optional() })
  .refine(({ id, name }) => id !== undefined || name !== undefined, {
    path: ['id'],
    error: 'is required, unless a name is given',
    params: { field_code: 'required' },
  })
  .refine(({ id, name }) => id === undefined || name === undefined, {
    path: ['name'],
    error: 'cannot be given with an id',
    params: { field_code: 'invalid' },
  });

export const employmentEntry = z.object({
  title: line,
  organization: organizationChoice.nullish(),
  current: z.boolean().optional(),
  started_on: isoDate.nullish(),
  ended_on: isoDate.nullish(),
});

/** The fields that requests send of a contact. */
export const written = {
  name: line.meta({ example: 'Ada Byron' }),
  first_name: line.meta({ example: 'Ada' }),
  last_name: line.meta({ example: 'Byron' }),
  nickname: line,
  headline: line,
  description: text(20_000).nullish(),
  avatar_url: webAddress.nullish(),
  email_addresses: z.array(emailEntry).max(EMAIL_ADDRESSES).check(noDuplicates, onePrimary).optional(),
  employments: z.array(employmentEntry).max(ENTRIES).optional(),
  birthday: isoDate.nullish(),
  time_zone: timeZone.nullish(),
};
