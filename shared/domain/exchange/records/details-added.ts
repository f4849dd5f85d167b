import { isDeepStrictEqual } from 'node:util';
import { phoneIdentity } from '#shared/domain/collaboration/record-lists/phones.ts';
import { contentOf, type SentDetails } from '#shared/domain/crm/details/entries.ts';
import { added } from './row.ts';

/** How people and organizations are reached, after a row: it adds entries and removes none. */

type Own = {
  phone_numbers: { id: string; phone_number: string; label: string | null; primary: boolean }[];
  links: { id: string; url: string; label: string | null }[];
  addresses: ({ id: string; label: string | null } & Record<string, string | null>)[];
};

const withoutId = <T extends { id: string }>({ id: _, ...rest }: T) => rest;

const addressOf = (sent: object) => ({
  ...{ street: null, city: null, region: null, postal_code: null, country: null },
  ...contentOf({ id: '', ...sent }),
});

export function detailsAdded(own: Own, sent: SentDetails): SentDetails {
  const phone_numbers = added(own.phone_numbers, sent.phone_numbers, {
    same: (a, b) => phoneIdentity(a.phone_number) === phoneIdentity(b.phone_number),
    keep: withoutId,
  });
  const links = added(own.links, sent.links, { same: (a, b) => a.url === b.url, keep: withoutId });
  const addresses = added(own.addresses, sent.addresses, {
    same: (a, b) => isDeepStrictEqual(contentOf(a), addressOf(b)),
    keep: withoutId,
  });
  return {
    ...(phone_numbers ? { phone_numbers } : {}),
    ...(links ? { links } : {}),
    ...(addresses ? { addresses } : {}),
  };
}
