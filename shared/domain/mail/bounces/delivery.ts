import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';

/** What became of a sent mail, as servers on its way report it. Without a report it is taken to be delivered. */

const status = z.enum(['failed', 'delayed']);

const recipient = z
  .strictObject({
    email_address: z.string().meta({ example: 'priya@ferries.example' }),
    status,
    code: z.string().nullable().meta({ example: '5.1.1' }),
    diagnostic: z.string().nullable().meta({ example: '550 5.1.1 No such user' }),
  })
  .meta({ id: 'UndeliveredRecipient' });

export type Undelivered = z.infer<typeof recipient>;

export const deliverySchema = z
  .strictObject({ status, recipients: z.array(recipient) })
  .meta({ id: 'MessageDelivery' });

/** Bytes of all recipients that are kept, so that an item has room for them. */
const MOST_BYTES = 12_000;

function fitting(all: Undelivered[]): Undelivered[] {
  let left = MOST_BYTES;
  return all.filter((each) => {
    left -= Buffer.byteLength(JSON.stringify(each));
    return left >= 0;
  });
}

/** What failed does not come any more, whatever is reported later; undefined when nothing new was reported. */
export function afterReport(before: Undelivered[], reported: Undelivered[]): Undelivered[] | undefined {
  const known = new Map(before.map((each) => [each.email_address, each]));
  for (const each of reported) {
    const earlier = known.get(each.email_address);
    if (earlier?.status !== 'failed' && earlier?.status !== each.status) known.set(each.email_address, each);
  }
  const after = fitting([...known.values()]);
  return isDeepStrictEqual(after, before) ? undefined : after;
}

export function presentDelivery(recipients: Undelivered[] = []): z.infer<typeof deliverySchema> | null {
  if (recipients.length === 0) return null;
  const failed = recipients.some((each) => each.status === 'failed');
  return { status: failed ? 'failed' : 'delayed', recipients };
}
