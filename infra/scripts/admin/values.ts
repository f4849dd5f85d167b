import * as z from 'zod';
import { nearest } from '#shared/nearest.ts';
import { isTimeZone } from '#shared/time-zone.ts';
import { emailAddress, nameText } from '#shared/values.ts';

/** The options that several commands have. */

export const name = nameText(255);
export const address = emailAddress;

/** One of a few words; a misspelt one names the word that is near. */
export function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  const error = ({ input }: { input?: unknown }) => {
    const near = nearest(String(input), words);
    return `must be ${words.join(' or ')}${near === undefined ? '' : ` (did you mean ${near}?)`}`;
  };
  return z.enum(words, { error });
}

export const timeZone = {
  placeholder: '<zone>',
  about: 'for example Europe/London (default Etc/UTC, or that of the account)',
  schema: z
    .string()
    .refine(isTimeZone, {
      error: ({ input }) => {
        const near = nearest(String(input), Intl.supportedValuesOf('timeZone'));
        return `must be a time zone such as ${near ?? 'Europe/London'}`;
      },
    })
    .optional(),
};

export const account = {
  placeholder: '<id>',
  about: 'the account; list shows all',
  schema: z.string().trim().toLowerCase(),
};

export const user = {
  placeholder: '<id or email>',
  about: 'the user',
  schema: z.string().trim().toLowerCase(),
};
