import ICAL from 'ical.js';
import type { ContactRecord } from '#shared/domain/crm/contacts/contact.ts';
import { mainJob } from './main-job.ts';

/** A contact as a vCard of version 4 (RFC 6350). */

type Property = [
  name: string,
  parameters: Record<string, string>,
  type: string,
  ...values: (string | string[])[],
];

const typed = (label: string | null): Record<string, string> => {
  const type = label?.toLowerCase().replace(/[^a-z\d-]/g, '');
  return type ? { type: type === 'mobile' ? 'cell' : type } : {};
};

const primary = (is: boolean): Record<string, string> => (is ? { pref: '1' } : {});

const text = (name: string, value: string | null): Property[] =>
  value === null ? [] : [[name, {}, 'text', value]];

function reached({ email_addresses, phone_numbers, links, addresses }: ContactRecord): Property[] {
  return [
    ...email_addresses.map(
      (each): Property => [
        'email',
        { ...typed(each.label), ...primary(each.primary) },
        'text',
        each.email_address,
      ],
    ),
    ...phone_numbers.map(
      (each): Property => [
        'tel',
        { ...typed(each.label), ...primary(each.primary) },
        'text',
        each.phone_number,
      ],
    ),
    ...links.map(({ url, label }): Property => ['url', typed(label), 'uri', url]),
    ...addresses.map(({ street, city, region, postal_code, country, label }): Property => {
      const parts = [null, null, street, city, region, postal_code, country].map((part) => part ?? '');
      return ['adr', typed(label), 'text', parts];
    }),
  ];
}

function employed(contact: ContactRecord): Property[] {
  const job = mainJob(contact);
  const name = job?.organization?.name;
  // A list of units, of which this is the first: semicolons divide them.
  const org: Property[] = name ? [['org', {}, 'text', [name]]] : [];
  return [...org, ...text('title', job?.title ?? null)];
}

export function vcardOf(contact: ContactRecord): string {
  const { first_name, last_name, birthday, updated_at, created_at } = contact;
  const tags = (contact.tags ?? []).map(({ name }) => name);
  const properties: Property[] = [
    ['version', {}, 'text', '4.0'],
    ...text('uid', contact.external_id ?? `urn:uuid:${contact.id}`),
    ...text('fn', contact.name),
    ...(first_name || last_name
      ? [['n', {}, 'text', [last_name ?? '', first_name ?? '', '', '', '']] as Property]
      : []),
    ...text('nickname', contact.nickname),
    ...reached(contact),
    ...employed(contact),
    ...(birthday === null ? [] : [['bday', {}, 'date', birthday] as Property]),
    ...text('note', contact.description),
    ...(contact.avatar_url === null ? [] : [['photo', {}, 'uri', contact.avatar_url] as Property]),
    ...(tags.length === 0 ? [] : [['categories', {}, 'text', ...tags] as Property]),
    ['rev', {}, 'text', (updated_at ?? created_at).replace(/[-:]|\.\d+/g, '')],
  ];
  return `${ICAL.stringify(['vcard', properties, []] as never)}\r\n`;
}
