import { At, type Nested } from './at.ts';
import { conditionOf, type Wanted } from './conditions.ts';
import type { Key } from './keys.ts';
import { Terms } from './terms.ts';

/**
 * An update of an item, as data
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.UpdateExpressions.html).
 */
export interface Update<T extends Key> {
  /** Undefined leaves the attribute as it is. */
  set?: {
    readonly [Name in keyof T]?: T[Name] | Nested<NonNullable<T[Name]>> | Initial<T[Name]> | undefined;
  };
  /** Adds to numbers (a missing one is 0) and to sets. */
  add?: { readonly [Name in keyof T]?: Addable<NonNullable<T[Name]>> | undefined };
  /** Removes members of sets. */
  take?: { readonly [Name in keyof T]?: Extract<NonNullable<T[Name]>, ReadonlySet<unknown>> | undefined };
  /** Attributes, or entries of a map. */
  remove?: readonly Place<keyof T & string>[];
  /** Of several cases one must hold. */
  when?: Wanted<T>;
}

type Place<Name extends string = string> = Name | readonly [Name, string];

type Addable<V> = V extends number ? number : V extends bigint ? bigint : Extract<V, ReadonlySet<unknown>>;

/** A value for an attribute that does not exist yet. */
export class Initial<out V> {
  /** For the compiler: keeps map entries, which have a value too, from passing as an `Initial`. */
  declare private readonly initial: true;
  readonly value: V;

  constructor(value: V) {
    this.value = value;
  }
}

export function unlessThere<V>(value: V): Initial<V> {
  return new Initial(value);
}

/** A clause of the expression; empty when all values of the part are undefined. */
function clause(
  word: string,
  part: object | undefined,
  write: (name: string, value: unknown) => string,
): string {
  let written = '';
  for (const name in part) {
    const value = (part as Record<string, unknown>)[name];
    if (value !== undefined) written += `${written === '' ? word : ','} ${write(name, value)}`;
  }
  return written;
}

function setting(name: string, value: unknown, terms: Terms): string {
  let path = terms.path(undefined, name);
  let nested = value;
  for (; nested instanceof At; nested = nested.value) path = terms.path(path, nested.key);
  if (nested instanceof Initial) return `${path} = if_not_exists(${path}, ${terms.value(nested.value)})`;
  return `${path} = ${terms.value(nested)}`;
}

function removed(place: Place, terms: Terms): string {
  if (typeof place === 'string') return terms.path(undefined, place);
  return terms.path(terms.path(undefined, place[0]), place[1]);
}

/** The update expression of an UpdateItem. An empty update is a mistake of its caller. */
export function writeUpdate<T extends Key>(update: Update<T>) {
  const terms = new Terms();
  const changing = (name: string, value: unknown) => `${terms.path(undefined, name)} ${terms.value(value)}`;
  const UpdateExpression = [
    clause('SET', update.set, (name, value) => setting(name, value, terms)),
    clause('ADD', update.add, changing),
    clause('DELETE', update.take, changing),
    update.remove?.length ? `REMOVE ${update.remove.map((place) => removed(place, terms)).join(', ')}` : '',
  ]
    .filter((each) => each !== '')
    .join(' ');
  if (UpdateExpression === '') throw new Error('An update is empty: every part of it is undefined');
  const ConditionExpression = conditionOf(update.when)?.write(terms);
  return { UpdateExpression, ConditionExpression, ...terms.attributes };
}
