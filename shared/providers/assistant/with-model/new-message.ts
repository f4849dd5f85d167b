import type { NewMessage } from '#shared/domain/assistant/answering/assistant.ts';
import { beginning } from './limits.ts';

/** Who reads a new message and when it came, for the system prompt. It contains no text by strangers. */
export function readerAndTime({ reader, arrived_at }: NewMessage): string {
  const { email_address, time_zone } = reader;
  const name = beginning(reader.name.replaceAll(/\s+/g, ' '), 200);
  const moment = new Date(arrived_at).toLocaleString('en-GB', {
    timeZone: time_zone,
    dateStyle: 'full',
    timeStyle: 'short',
  });
  return `The reader is ${name} <${email_address}>. The last message came on ${moment} in ${time_zone}.`;
}
