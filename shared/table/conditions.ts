import { At, type Nested } from './at.ts';
import type { Key } from './keys.ts';
import type { Terms } from './terms.ts';

/**
 * What an item has to be like, as data
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.OperatorsAndFunctions.html).
 */

/** What an attribute of type `V` has to be like. */
export class Test<in V = unknown> {
  /** For the compiler: a test of numbers is no test of texts. */
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

/** The attribute says the type of what it equals, or does not, so that none of its literals can be misspelt. */
export const exactly = <V extends number | string>(value: NoInfer<V>): Test<V> =>
  new Test((path, terms) => `${path} = ${terms.value(value)}`);

export const present: Test = new Test((path) => `attribute_exists(${path})`);
export const missing: Test = new Test((path) => `attribute_not_exists(${path})`);

/** True also of an attribute that is not there. */
export const not = <V extends number | string>(value: NoInfer<V>): Test<V> =>
  new Test((path, terms) => `${path} <> ${terms.value(value)}`);

/** One of 100 values at most. */
export const among = <V extends number | string>(...values: NoInfer<V>[]): Test<V> =>
  new Test((path, terms) => `${path} IN (${values.map((value) => terms.value(value)).join(', ')})`);

/** Of a set or list that has this member, or a text that has this part. */
export const containing = <V extends number | string>(
  value: V,
): Test<ReadonlySet<Widened<V>> | readonly Widened<V>[] | Widened<V>> =>
  new Test((path, terms) => `contains(${path}, ${terms.value(value)})`);

/** As it was read: equal, or not there when it was not there. */
export const asRead = <V>(value: V | undefined): V | Test => (value === undefined ? missing : value);

/** How many members a set, list or map has; never true of an attribute that is not there. */
export const sized = (size: number | Test<number>): Test<object> =>
  new Test((path, terms) => (typeof size === 'number' ? exactly(size) : size).write(`size(${path})`, terms));

export const either = <V>(...tests: Test<NoInfer<V>>[]): Test<V> =>
  new Test((path, terms) => `(${tests.map((test) => test.write(path, terms)).join(' OR ')})`);

/** For several tests of one attribute, or of places in it. */
export const both = <V>(...wanted: Held<V>[]): Test<V> =>
  new Test((path, terms) => wanted.map((each) => writeTest(path, each, terms)).join(' AND '));

/** Attributes by name: what each equals, or a test of it. All of them hold. */
export type AllOf<T> = {
  readonly [Name in keyof T]?: Held<T[Name]>;
};

type Held<V> = Exclude<V, undefined> | Test<NonNullable<V>> | Nested<NonNullable<V>, Test<never>>;

/** What a write depends on, or a query keeps. */
export class Condition {
  readonly write: (terms: Terms) => string;
  /** Among others it needs parentheses, and DynamoDB refuses those that are not needed. */
  readonly alternatives: boolean;

  constructor(write: (terms: Terms) => string, alternatives = false) {
    this.write = write;
    this.alternatives = alternatives;
  }
}

/** The condition that one of these holds; each is attributes that all hold. */
export function when<T extends Key>(...cases: AllOf<T>[]): Condition {
  // AND binds tighter than OR.
  return new Condition((terms) => cases.map((each) => writeCase(each, terms)).join(' OR '), cases.length > 1);
}

/** The condition that all of these hold. */
export function every(...conditions: Condition[]): Condition {
  return new Condition((terms) =>
    conditions
      .map((each) => (each.alternatives ? `(${each.write(terms)})` : each.write(terms)))
      .join(' AND '),
  );
}

/** Where a condition is wanted: attributes that all hold, several of them of which one holds, or a condition. */
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
  return Object.entries(wanted)
    .map(([name, value]) => writeTest(terms.path(undefined, name), value, terms))
    .join(' AND ');
}
