import * as z from 'zod';

/** The address of a file of iCalendar, as a request sends it. */

/** Applications show addresses of calendars as `webcal`, and read them by https. */
const asRead = (address: string) => address.trim().replace(/^webcal:/i, 'https:');

/** As the file is asked for: a fragment says nothing to a server. */
function plain(address: string): string {
  const url = URL.parse(address);
  if (url) url.hash = '';
  return url?.href ?? address;
}

export const fileAddress = z
  .string()
  .overwrite(asRead)
  .pipe(
    z
      .url({ protocol: /^https?$/, error: 'must be an https URL' })
      .max(2_048)
      .refine((url) => !URL.parse(url)?.username && !URL.parse(url)?.password, {
        error: 'must not hold a user or a password',
      })
      .overwrite(plain),
  )
  .meta({ format: 'uri', example: 'https://ferries.example/timetable.ics' });
