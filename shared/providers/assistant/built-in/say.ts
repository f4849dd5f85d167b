import type { MessageView, PersonView, ThreadRow } from '#shared/domain/assistant/answering/views.ts';
import { cut } from './words.ts';

/** How answers name and quote. Quoted text can neither end a quote nor look like a reference. */

/** Brackets make references. */
function harmless(text: string): string {
  return text.replaceAll('[', '(').replaceAll(']', ')');
}

export function quote(text: string, max = 240): string {
  return `“${cut(harmless(text).replaceAll('“', '‘').replaceAll('”', '’'), max)}”`;
}

function reference(
  type: 'thread' | 'contact' | 'organization' | 'deal' | 'task' | 'calendar_event',
  id: string,
  label: string,
): string {
  return `[${cut(harmless(label), 100)}](${type}:${id})`;
}

export function threadName(thread: Pick<ThreadRow, 'subject'>): string {
  return thread.subject?.trim() || '(no subject)';
}

export function threadLink(thread: Pick<ThreadRow, 'id' | 'subject'>): string {
  return reference('thread', thread.id, threadName(thread));
}

export function contactLink(contact: { id: string; name: string }): string {
  return reference('contact', contact.id, contact.name);
}

/** Of a record with a name. */
export function recordLink(
  type: 'organization' | 'deal' | 'task' | 'thread' | 'calendar_event',
  { id, name }: { id: string; name: string },
): string {
  return reference(type, id, name);
}

export function plainName(person: Pick<PersonView, 'name' | 'email_address'> | null): string {
  return cut(harmless(person?.name?.trim() || person?.email_address || 'somebody unknown'), 100);
}

export function personLink(person: PersonView | null): string {
  const name = plainName(person);
  return person?.contact_id ? reference('contact', person.contact_id, name) : name;
}

export function author(message: MessageView): string {
  return message.own ? 'You' : personLink(message.from);
}

/** Lines that fit into an answer; others are omitted whole. */
export function lines(...said: (string | false | null | undefined)[]): string {
  let text = '';
  for (const line of said) {
    if (!line) continue;
    const more = text === '' ? line : `${text}\n${line}`;
    if (more.length > 1900) return text === '' ? cut(line, 1900) : `${text}\nThere is more than fits here.`;
    text = more;
  }
  return text;
}
