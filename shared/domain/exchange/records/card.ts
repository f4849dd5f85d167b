import ICAL from 'ical.js';
import { invalidField } from '#shared/errors.ts';
import { isUuid } from '#shared/ids.ts';
import { withScheme } from './detail-cells.ts';
import { inOneLine } from './one-line.ts';
import type { SentRow } from './row.ts';

/** A vCard as a draft of a contact, with the names of its tags (RFC 2426, RFC 6350). */

type Value = string | string[];

interface Property {
  name: string;
  types: string[];
  /** From 1 to 100, the first choice first (RFC 6350, 5.3). */
  pref: number;
  value: Value;
  values: Value[];
}

/** What backslashes escape (RFC 6350, 3.4), also where it needs it not, as vCard 3 does. */
const ESCAPED = '\\;:,\n';
/** In their places until the values are divided: characters that are in no text (Unicode, 23.7). */
const STAND_INS = '\ufdd0\ufdd1\ufdd2\ufdd3\ufdd4';

/** The library reads the escapes of some values, and not all of them: what is left could be either. */
const withStandIns = (card: string): string =>
  card.replace(
    /\\([\\;:,nN])/g,
    (_, escaped: string) => STAND_INS[ESCAPED.indexOf(escaped.replace(/n/i, '\n'))] as string,
  );

const withoutStandIns = (text: string): string =>
  text.replace(/[\ufdd0-\ufdd4]/g, (one) => ESCAPED[STAND_INS.indexOf(one)] as string);

const textOf = (value: Value | undefined): string =>
  withoutStandIns(
    Array.isArray(value) ? value.filter((part) => part !== '').join(' ') : `${value ?? ''}`,
  ).trim();

/** Behind every choice. */
const NO_CHOICE = 101;

/** 400 for what is no vCard. */
function propertiesOf(card: string): Property[] {
  try {
    const parsed = ICAL.parse(withStandIns(card)) as [
      string,
      [string, { type?: Value; pref?: Value }, string, ...Value[]][],
    ];
    return parsed[1].map(([name, { type = [], pref }, , ...values]) => ({
      name,
      pref: Number(pref) || NO_CHOICE,
      types: [type].flat().map((each) => textOf(each).toLowerCase()),
      value: values[0] ?? '',
      values,
    }));
  } catch (error) {
    const why = textOf((error as Error).message.slice(0, 200));
    throw invalidField('row', 'invalid_format', `is not a vCard: ${why}`);
  }
}

/** Types that say how, not where. */
const TECHNICAL = ['internet', 'pref', 'voice', 'x400', 'text', 'textphone'];
const KNOWN: Record<string, string> = { cell: 'mobile' };

function labelOf({ types }: Property): string | null {
  const label = types.find((type) => !TECHNICAL.includes(type) && type !== '');
  return label === undefined ? null : (KNOWN[label] ?? label);
}

/** Version 3 has a type for the first choice. */
const choiceOf = ({ types, pref }: Property) => (types.includes('pref') ? 1 : pref);

function primaryFirst<T>(properties: Property[], entry: (property: Property) => T): T[] {
  return properties.toSorted((a, b) => choiceOf(a) - choiceOf(b)).map(entry);
}

/** As people write it; a URI has parameters, such as an extension (RFC 3966). */
function phoneOf(text: string): string {
  if (!/^tel:/i.test(text)) return text;
  const [number = '', ...parameters] = text.slice('tel:'.length).split(';');
  const extension = parameters.find((each) => /^ext=/i.test(each))?.slice('ext='.length);
  return extension === undefined ? number : `${number} x${extension}`;
}

function addressOf(property: Property): object {
  const parts = [property.value].flat();
  const part = (i: number) => inOneLine(textOf(parts[i])) || null;
  const street = [part(0), part(1), part(2)].filter((each) => each !== null).join(', ') || null;
  return {
    ...{ street, city: part(3), region: part(4), postal_code: part(5), country: part(6) },
    label: labelOf(property),
  };
}

function employmentsOf(org: Property | undefined, title: string): object[] {
  const [company] = [org?.value ?? ''].flat();
  const name = textOf(company);
  if (name === '' && title === '') return [];
  return [{ title: title || null, ...(name === '' ? {} : { organization: { name } }), current: true }];
}

/** Without a year, as phones write it, a birthday is left out. */
function birthdayOf(text: string): string | undefined {
  const [, year, month, day] = /^(\d{4})-?(\d{2})-?(\d{2})/.exec(text) ?? [];
  return year === undefined ? undefined : `${year}-${month}-${day}`;
}

const isFilled = (value: unknown) =>
  value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);

/** The id in the UID that an export writes of a contact without an external id. */
function recordIdOf(uid: string): Pick<SentRow, 'record_id'> {
  const [, id = ''] = /^urn:uuid:(.*)$/i.exec(uid) ?? [];
  return isUuid(id) ? { record_id: id.toLowerCase() } : {};
}

export function readCard(card: string): SentRow {
  const all = Map.groupBy(propertiesOf(card), ({ name }) => name);
  const every = (name: string) => (all.get(name) ?? []).filter(({ value }) => textOf(value) !== '');
  const one = (name: string) => textOf(every(name)[0]?.value);
  const [last, first] = [every('n')[0]?.value ?? []].flat();
  const photo = one('photo');
  const draft = {
    name: one('fn'),
    first_name: textOf(first),
    last_name: textOf(last),
    nickname: one('nickname'),
    description: one('note'),
    avatar_url: /^https?:/i.test(photo) ? photo : '',
    birthday: birthdayOf(one('bday')),
    email_addresses: primaryFirst(every('email'), (each) => ({
      email_address: textOf(each.value).replace(/^mailto:/i, ''),
      label: labelOf(each),
    })),
    phone_numbers: primaryFirst(every('tel'), (each) => ({
      phone_number: phoneOf(textOf(each.value)),
      label: labelOf(each),
    })),
    links: every('url').map((each) => ({ url: withScheme(textOf(each.value)), label: labelOf(each) })),
    addresses: every('adr').map(addressOf),
    employments: employmentsOf(every('org')[0], one('title')),
    external_id: one('uid'),
  };
  const tags = every('categories').flatMap(({ values }) => values.map(textOf));
  return {
    draft: Object.fromEntries(Object.entries(draft).filter(([, value]) => isFilled(value))),
    tags: [...new Set(tags.filter((tag) => tag !== ''))],
    ...recordIdOf(draft.external_id),
  };
}
