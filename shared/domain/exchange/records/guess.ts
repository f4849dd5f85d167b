import { type ImportableType, isTarget, takesSeveral } from './fields.ts';
import { headers } from './headers.ts';

/** What the columns of a file probably are, by their names. */

/** Without accents, case and punctuation. */
const folded = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[^\p{L}\p{N}%]+/gu, ' ')
    .trim();

/** `E-mail 2 - Value` of Google Contacts, `E-mail 2 Address` of Outlook. */
const NUMBERED: [RegExp, string][] = [
  [/^e ?mail \d+( value| address)?$/, 'email_addresses'],
  [/^phone \d+( value)?$/, 'phone_numbers'],
  [/^website \d+( value)?$/, 'links'],
  [/^organization 1 name$|^organization name 1$/, 'organization'],
  [/^organization 1 title$/, 'title'],
  [/^address 1 street$/, 'street'],
  [/^address 1 city$/, 'city'],
  [/^address 1 region$/, 'region'],
  [/^address 1 postal code$/, 'postal_code'],
  [/^address 1 country$/, 'country'],
];

/** Pipedrive begins the names of all columns with that of the record. */
const PREFIX = {
  contacts: 'person ',
  organizations: 'organization ',
  deals: 'deal ',
  tasks: 'activity ',
  calendar_events: '',
};

function byMeaning(type: ImportableType, name: string): string | null {
  const key = folded(name);
  const known = [key, key.startsWith(PREFIX[type]) ? key.slice(PREFIX[type].length) : key];
  for (const each of known) if (Object.hasOwn(headers[type], each)) return headers[type][each] as string;
  const numbered = NUMBERED.find(([pattern]) => pattern.test(key))?.[1];
  return numbered !== undefined && isTarget(type, numbered) ? numbered : null;
}

/**
 * Of each column, in their order. Names of fields count before other names; of two columns that would be the same, the
 * first is it, unless several may be.
 */
export function guessTargets(type: ImportableType, names: string[]): (string | null)[] {
  const exact = names.map((name) => (isTarget(type, name) ? name : null));
  const taken = new Set(exact);
  return names.map((name, i) => {
    const known = exact[i] ?? null;
    if (known !== null) return exact.indexOf(known) === i || takesSeveral(type, known) ? known : null;
    const target = byMeaning(type, name);
    if (target === null || (taken.has(target) && !takesSeveral(type, target))) return null;
    taken.add(target);
    return target;
  });
}
