import { kebab } from '#shared/api/catalogue.ts';

/** An invalid request to a generator. */
export class Refused extends Error {}

const capital = (word: string) => `${word[0]?.toUpperCase()}${word.slice(1)}`;

const camel = (words: string[]) => words.map((word, i) => (i === 0 ? word : capital(word))).join('');

/** The names of a family, from `calendar_events` or `calendar-events`. */
export function familyNames(given: string) {
  const family = given.replaceAll('-', '_');
  if (!/^[a-z]+(_[a-z]+)*s$/.test(family))
    throw new Refused(`"${given}" is no name for a family: give the plural of a noun, such as spaces.`);
  const words = family.split('_');
  const last = (words.at(-1) as string).replace(/s$/, '');
  const singular = [...words.slice(0, -1), last];
  return {
    /** `calendar_events`. */
    family,
    /** `calendar-events`. */
    folder: family.replaceAll('_', '-'),
    /** `calendar_event`. */
    one: singular.join('_'),
    /** `calendar event`. */
    words: singular.join(' '),
    /** `calendarEvent`, `calendarEvents`. */
    variable: camel(singular),
    variables: camel(words),
    /** `CalendarEvent`, `CalendarEvents`. */
    type: capital(camel(singular)),
    types: capital(camel(words)),
    /** `calendar-event`. */
    file: singular.join('-'),
  };
}

export type FamilyNames = ReturnType<typeof familyNames>;

/** Verbs that determine method, path, status and body. Any other verb is an action on one record. */
export const verbs = ['create', 'list', 'retrieve', 'update', 'delete'] as const;

export type Verb = (typeof verbs)[number] | 'do';

export interface OperationNames extends FamilyNames {
  /** `createDeal`. */
  name: string;
  /** `create-deal`. */
  operation: string;
  verb: Verb;
  /** The words of the verb: `create`, `mark_read`. */
  action: string;
  summary: string;
}

/** The names of an operation, from `createDeal` or `create-deal`. */
export function operationNames(names: FamilyNames, given: string): OperationNames {
  const name = given.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  if (!/^[a-z]+([A-Z][a-z]+)+$/.test(name))
    throw new Refused(`"${given}" is no name for an operation: give a verb and a noun, such as createDeal.`);
  const words = kebab(name).split('-');
  const verb = verbs.find((each) => each === words[0]) ?? 'do';
  const noun = verb === 'list' ? names.family : names.one;
  const action = words.join('_').replace(new RegExp(`_${noun}$`), '');
  return {
    ...names,
    name,
    operation: words.join('-'),
    // A verb with another noun than the family's is an action: createMembership of groups.
    verb: verb !== 'do' && action !== verb ? 'do' : verb,
    action,
    summary: capital(words.join(' ')),
  };
}
