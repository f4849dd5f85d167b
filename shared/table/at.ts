/** A place in a map: `at('ada', 'view')` is the entry `ada`. */
export class At<Name extends string = string, V = unknown> {
  readonly key: Name;
  readonly value: V;

  constructor(key: Name, value: V) {
    this.key = key;
    this.value = value;
  }
}

export function at<Name extends string, V>(key: Name, value: V): At<Name, V> {
  return new At(key, value);
}

type Leaf = string | number | boolean | null | undefined | ReadonlySet<unknown> | readonly unknown[];

/** The places in a map of type `V`, with their values; `Else` may be at each of them as well. */
export type Nested<V, Else = never> = V extends Leaf
  ? never
  : {
      [Name in keyof V & string]: At<Name, Exclude<V[Name], undefined> | Else | Nested<V[Name], Else>>;
    }[keyof V & string];
