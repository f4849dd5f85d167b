import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod';
import { newId } from '#shared/ids.ts';
import type { StoredFields } from '#shared/resource.ts';
import type { details } from './fields.ts';
import type { writtenDetails } from './written.ts';

/** The entries of lists, as sent and as stored. */

type Details = StoredFields<typeof details>;
export type SentDetails = {
  [Name in keyof typeof writtenDetails]?: z.output<(typeof writtenDetails)[Name]> | undefined;
};
type Sent<Name extends keyof Details> = NonNullable<SentDetails[Name]>;

/** Of a record for which none were sent. */
export const noDetails: Details = { phone_numbers: [], links: [], addresses: [] };

/** The first entry is the primary one unless another is marked. */
export function withPrimary<T extends { primary?: boolean | undefined; label?: string | null | undefined }>(
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

const linksOf = (sent: Sent<'links'>, now: Date): Details['links'] =>
  sent.map((link) => ({ id: newId(now), url: link.url, label: link.label ?? null }));

const addressesOf = (sent: Sent<'addresses'>, now: Date): Details['addresses'] =>
  sent.map((address) => ({
    id: newId(now),
    street: address.street ?? null,
    city: address.city ?? null,
    region: address.region ?? null,
    postal_code: address.postal_code ?? null,
    country: address.country ?? null,
    label: address.label ?? null,
  }));

/** The identity of an entry: without its label and its primary mark. */
export function contentOf(entry: { id: string; label?: string | null; primary?: boolean }): object {
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

/** The lists that were sent. An existing entry keeps its id. */
export function detailsAfter(before: Details, sent: SentDetails, now: Date): Partial<Details> {
  const { phone_numbers, links, addresses } = sent;
  return {
    ...(phone_numbers && { phone_numbers: keepIds(before.phone_numbers, withPrimary(phone_numbers, now)) }),
    ...(links && { links: keepIds(before.links, linksOf(links, now)) }),
    ...(addresses && { addresses: keepIds(before.addresses, addressesOf(addresses, now)) }),
  };
}
