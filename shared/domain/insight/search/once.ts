import type { SearchContext } from './kind.ts';

/** Made when it is first asked for, once in a search. */
export function onceIn<T extends object>(make: (ctx: SearchContext) => T): (ctx: SearchContext) => T {
  const made = new WeakMap<SearchContext, T>();
  return (ctx) => {
    const known = made.get(ctx) ?? make(ctx);
    made.set(ctx, known);
    return known;
  };
}
