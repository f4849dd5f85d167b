import { At, type Nested } from './at.ts';
import type { Key } from './keys.ts';
import type { Terms } from './terms.ts';

/**
 * Conditions on an item, as data
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.OperatorsAndFunctions.html).
 */

/** A condition on an attribute of type `V`. */
export class Test<in V = unknown> {
  /** For the compiler: a test of numbers is not a test of strings. */
  declare private readonly tests: (value: V) => void;
  readonly write: (path: string, terms: Terms) => string;

  constructor(write: (path: string, terms: Terms) => string) {
    this.write = write;
  }
}

type Widened<V extends number | string> = V extends number ? number : string;

const compared =
  (operator: '<' | '<=' | '>' | '>=') =>
  <V extends number | string>(value: V): Test<Widened<V>> =>
    new Test((path, terms) => `${path} ${operator} ${terms.value(value)}`);

export const below = compared('<');
export const atMost = compared('<=');
export const above = compared('>');
export const atLeast = compared('>=');

/** `NoInfer`: the type comes from the attribute, so a misspelt literal does not compile. */
export const exactly = <V extends number | string>(value: NoInfer<V>): Test<V> =>
  new Test((path, terms) => `${path} = ${terms.value(value)}`);

export const present: Test = new Test((path) => `attribute_exists(${path})`);
export const missing: Test = new Test((path) => `attribute_not_exists(${path})`);

/** Also true of a missing attribute. */
export const not = <V extends number | string>(value: NoInfer<V>): Test<V> =>
  new Test((path, terms) => `${path} <> ${terms.value(value)}`);

/** One of the values, 100 at most. */
export const among = <V extends number | string>(...values: NoInfer<V>[]): Test<V> =>
  new Test((path, terms) => `${path} IN (${values.map((value) => terms.value(value)).join(', ')})`);

/** A set or list with this member, or a string with this part. */
export const containing = <V extends number | string>(
  value: V,
): Test<ReadonlySet<Widened<V>> | readonly Widened<V>[] | Widened<V>> =>
  new Test((path, terms) => `contains(${path}, ${terms.value(value)})`);

/** As it was read: equal, or still missing. */
export const asRead = <V>(value: V | undefined): V | Test => (value === undefined ? missing : value);

/** The size of a set, list or map; never true of a missing attribute. */
export const sized = (size: number | Test<number>): Test<object> =>
  new Test((path, terms) => (typeof size === 'number' ? exactly(size) : size).write(`size(${path})`, terms));

export const either = <V>(...tests: Test<NoInfer<V>>[]): Test<V> =>
  new Test((path, terms) => `(${tests.map((test) => test.write(path, terms)).join(' OR ')})`);

/** For several tests of one attribute, or of places in it. */
export const both = <V>(...wanted: Held<V>[]): Test<V> =>
  new Test((path, terms) => wanted.map((each) => writeTest(path, each, terms)).join(' AND '));

/** Attributes by name: the value that each equals, or a test of it. All must hold. */
export type AllOf<T> = {
  readonly [Name in keyof T]?: Held<T[Name]>;
};

type Held<V> = Exclude<V, undefined> | Test<NonNullable<V>> | Nested<NonNullable<V>, Test<never>>;

/** The condition of a write, or the filter of a query. */
export class Condition {
  readonly write: (terms: Terms) => string;
  /** Whether it needs parentheses beside other conditions: DynamoDB refuses redundant ones. */
  readonly alternatives: boolean;

  constructor(write: (terms: Terms) => string, alternatives = false) {
    this.write = write;
    this.alternatives = alternatives;
  }
}

/** True when one of the cases is; in each case all attributes must hold. */
export function when<T extends Key>(...cases: AllOf<T>[]): Condition {
  // AND binds tighter than OR.
  return new Condition((terms) => cases.map((each) => writeCase(each, terms)).join(' OR '), cases.length > 1);
}

/** True when all of the conditions are. */
export function every(...conditions: Condition[]): Condition {
  return new Condition((terms) =>
    conditions
      .map((each) => (each.alternatives ? `(${each.write(terms)})` : each.write(terms)))
      .join(' AND '),
  );
}

/**
 * Where a condition is expected: attributes that must all hold, several such cases of which one must hold, or a
 * condition.
 */
export type Wanted<T> = AllOf<T> | readonly AllOf<T>[] | Condition;

export function conditionOf<T>(wanted: Wanted<T> | undefined): Condition | undefined {
  if (wanted === undefined || wanted instanceof Condition) return wanted;
  return Array.isArray(wanted) ? when(...wanted) : when(wanted as AllOf<Key>);
}

export const mustExist = when({ PK: present });
export const mustNotExist = when({ PK: missing });

function writeTest(path: string, wanted: unknown, terms: Terms): string {
  if (wanted === undefined) throw new Error(`A condition on ${path} says nothing`);
  if (wanted instanceof At) return writeTest(terms.path(path, wanted.key), wanted.value, terms);
  return wanted instanceof Test ? wanted.write(path, terms) : `${path} = ${terms.value(wanted)}`;
}

function writeCase(wanted: object, terms: Terms): string {
  let written = '';
  for (const name in wanted) {
    const value = (wanted as Record<string, unknown>)[name];
    written += `${written === '' ? '' : ' AND '}${writeTest(terms.path(undefined, name), value, terms)}`;
  }
  return written;
}
