import type { ThreadRecord } from '#shared/domain/mail/threads/schema.ts';
import type { PersonView } from '../views.ts';

/** By address, as in a thread: contacts that the user sees, other names, or null. */
export type Participants = ThreadRecord['participants'];

export function person(participants: Participants, email_address: string): PersonView {
  const found = participants[email_address] ?? null;
  if (found === null || typeof found === 'string') return { contact_id: null, name: found, email_address };
  return { contact_id: found.id, name: found.name, email_address };
}

const PEOPLE = 12;

export function people(participants: Participants): PersonView[] {
  return Object.keys(participants)
    .slice(0, PEOPLE)
    .map((address) => person(participants, address));
}
