import { isDeepStrictEqual } from 'node:util';
import { recordNotFound } from '#shared/errors.ts';
import { newId } from '#shared/ids.ts';
import type { Contact, ContactDraft } from './contact.ts';

/** The entries of a contact's lists, as sent and as stored. */

type Sent<Field extends keyof ContactDraft> = NonNullable<ContactDraft[Field]>;

/** The first entry is the primary one unless another is marked. */
function withPrimary<T extends { primary?: boolean | undefined; label?: string | null | undefined }>(
  entries: T[],
  now: Date,
) {
  const chosen = Math.max(
    0,
    entries.findIndex((entry) => entry.primary),
  );
  return entries.map((entry, i) => ({
    ...entry,
    id: newId(now),
    label: entry.label ?? null,
    primary: i === chosen,
  }));
}

function linksOf(sent: Sent<'links'>, now: Date): Contact['links'] {
  return sent.map((link) => ({ id: newId(now), url: link.url, label: link.label ?? null }));
}

function addressesOf(sent: Sent<'addresses'>, now: Date): Contact['addresses'] {
  return sent.map((address) => ({
    id: newId(now),
    street: address.street ?? null,
    city: address.city ?? null,
    region: address.region ?? null,
    postal_code: address.postal_code ?? null,
    country: address.country ?? null,
    label: address.label ?? null,
  }));
}

function employmentsOf(sent: Sent<'employments'>, now: Date): Contact['employments'] {
  return sent.map((employment) => {
    // Organizations do not exist yet, so none is visible.
    if (employment.organization) throw recordNotFound();
    return {
      id: newId(now),
      title: employment.title ?? null,
      organization: null,
      current: employment.current ?? employment.ended_on == null,
      started_on: employment.started_on ?? null,
      ended_on: employment.ended_on ?? null,
    };
  });
}

/** How each list is stored. 404 `record_not_found` for an employment at an organization that is not visible. */
export const entriesOf = {
  email_addresses: (sent: Sent<'email_addresses'>, now: Date): Contact['email_addresses'] =>
    withPrimary(sent, now),
  phone_numbers: (sent: Sent<'phone_numbers'>, now: Date): Contact['phone_numbers'] => withPrimary(sent, now),
  links: linksOf,
  addresses: addressesOf,
  employments: employmentsOf,
};

/** The identity of an entry: without its label and its primary mark. */
function contentOf(entry: { id: string; label?: string | null; primary?: boolean }): object {
  const { id: _, label: __, primary: ___, ...content } = entry;
  return content;
}

/** The new entries, with the ids of equal existing ones. */
export function keepIds<T extends { id: string }>(before: T[], after: T[]): T[] {
  const left = [...before];
  return after.map((entry) => {
    const i = left.findIndex((other) => isDeepStrictEqual(contentOf(other), contentOf(entry)));
    const [same] = i < 0 ? [] : left.splice(i, 1);
    return same ? { ...entry, id: same.id } : entry;
  });
}
