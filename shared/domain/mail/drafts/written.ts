import { domainToASCII } from 'node:url';
import * as z from 'zod';
import { clearableLine, emailAddress, refuse, text } from '#shared/values.ts';

/** What people write into drafts. Nothing of it can begin a header of its own. */

/** Of all recipients together. */
export const MAX_RECIPIENTS = 500;

/** A line has 998 characters (RFC 5322, 2.1.1), and one that goes on begins with a space. */
const MAX_LINE = 997;

export const MAX_BODY = 200_000;

/** Line ends and NUL are refused also where white space around a value is trimmed. */
const unbroken = z.string().check((context) => {
  if (/[\r\n\0]/.test(context.value))
    refuse(context, 'invalid_format', 'must be one line without control characters');
});

const AT = /^([^@]*)@(.*)$/;

/** Letters beyond ASCII are possible after the @ (RFC 5890); before it, few servers take them (RFC 6531). */
const deliverable = emailAddress.check((context) => {
  const [, local = '', domain = ''] = AT.exec(context.value) ?? [];
  if (!/^[!-~]*$/.test(local) || (domain !== '' && domainToASCII(domain) === ''))
    refuse(context, 'invalid_format', 'must be an address that mail servers accept, in ASCII before the @');
});

const address = unbroken.pipe(deliverable);

const recipients = z
  .array(address)
  .max(MAX_RECIPIENTS)
  .transform((addresses) => [...new Set(addresses)])
  .meta({ maxItems: MAX_RECIPIENTS });

/** The fields as requests write them. */
export const written = {
  address,
  recipients,
  subject: unbroken.pipe(clearableLine(MAX_LINE).unwrap()).nullable(),
  body: text(MAX_BODY).nullable(),
};
