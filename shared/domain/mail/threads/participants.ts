import type { ThreadEntry } from './thread.ts';

/**
 * Participants in a response, beside which is their total number: anybody may name thousands of recipients in a mail,
 * and send many such mails.
 */
export const SHOWN = { in_lists: 100, of_one_thread: 10_000 };

type Names = ThreadEntry['participant_names'];

/** At most this many participants of the thread, senders first. */
export function shownParticipants(
  {
    participant_names,
    sender_email_addresses,
  }: Pick<ThreadEntry, 'participant_names' | 'sender_email_addresses'>,
  most: number,
): Names {
  const addresses = Object.keys(participant_names);
  if (addresses.length <= most) return participant_names;
  const senders = sender_email_addresses.filter((address) => Object.hasOwn(participant_names, address));
  const shown = [...new Set([...senders, ...addresses])].slice(0, most);
  return Object.fromEntries(shown.map((address) => [address, participant_names[address] ?? null]));
}
