import * as z from 'zod';
import { optional } from '#shared/resource.ts';
import { uuid } from '#shared/values.ts';
import { writtenDetails as written } from './written.ts';

/** Text in a response. */
export const shown = (example: string) => z.string().nullable().meta({ example });

/** The fields of a resource for its phone numbers, links and postal addresses. */
export const details = {
  phone_numbers: optional(
    written.phone_numbers,
    z.array(
      z.strictObject({
        id: uuid,
        phone_number: z.string().meta({ example: '+44 20 7946 0123' }),
        label: shown('work'),
        primary: z.boolean(),
      }),
    ),
  ),
  links: optional(
    written.links,
    z.array(
      z.strictObject({
        id: uuid,
        url: z.string().meta({ example: 'https://acme.example/ada' }),
        label: shown('work'),
      }),
    ),
  ),
  addresses: optional(
    written.addresses,
    z.array(
      z.strictObject({
        id: uuid,
        street: shown('12 St James Square'),
        city: shown('London'),
        region: shown('Greater London'),
        postal_code: shown('SW1Y 4JH'),
        country: shown('GB'),
        label: shown('work'),
      }),
    ),
  ),
};
