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
  remove?: readonly ((keyof T & string) | readonly [keyof T & string, string])[];
  /** Of several cases one must hold. */
  when?: Wanted<T>;
}

type Addable<V> = V extends number ? number : Extract<V, ReadonlySet<unknown>>;

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

const written = Object.entries as (part: object) => [string, unknown][];
const sent = (part: object = {}) => written(part).filter(([, value]) => value !== undefined);

function setting(name: string, value: unknown, terms: Terms): string {
  let path = terms.path(undefined, name);
  let nested = value;
  for (; nested instanceof At; nested = nested.value) path = terms.path(path, nested.key);
  if (nested instanceof Initial) return `${path} = if_not_exists(${path}, ${terms.value(nested.value)})`;
  return `${path} = ${terms.value(nested)}`;
}

/** The update expression of an UpdateItem. An empty update is a mistake of its caller. */
export function writeUpdate<T extends Key>(update: Update<T>) {
  const terms = new Terms();
  const path = (name: string) => terms.path(undefined, name);
  const clause = (word: string, parts: string[]) => (parts.length > 0 ? [`${word} ${parts.join(', ')}`] : []);
  const removed = (update.remove ?? []).map((name) =>
    typeof name === 'string' ? path(name) : terms.path(path(name[0]), name[1]),
  );
  const UpdateExpression = [
    ...clause(
      'SET',
      sent(update.set).map(([name, value]) => setting(name, value, terms)),
    ),
    ...clause(
      'ADD',
      sent(update.add).map(([name, value]) => `${path(name)} ${terms.value(value)}`),
    ),
    ...clause(
      'DELETE',
      sent(update.take).map(([name, value]) => `${path(name)} ${terms.value(value)}`),
    ),
    ...clause('REMOVE', removed),
  ].join(' ');
  if (UpdateExpression === '') throw new Error('An update is empty: every part of it is undefined');
  const ConditionExpression = conditionOf(update.when)?.write(terms);
  return { UpdateExpression, ConditionExpression, ...terms.attributes };
}
