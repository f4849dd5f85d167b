/** A naive model of merged contacts: a box for each, in which those lie that became part of it. */

const LISTS = ['comments', 'tags', 'tasks', 'pins'] as const;
const MAPS = ['roles', 'shares'] as const;

type ListName = (typeof LISTS)[number];
type MapName = (typeof MAPS)[number];

export type Box = { id: string; headline: string | null; parts: Box[] } & Record<ListName, Set<string>> &
  Record<MapName, Map<string, string>>;

export const newBox = (id: string): Box => ({
  ...{ id, headline: null, parts: [] },
  ...{
    comments: new Set<string>(),
    tags: new Set<string>(),
    tasks: new Set<string>(),
    pins: new Set<string>(),
  },
  ...{ roles: new Map<string, string>(), shares: new Map<string, string>() },
});

/** The own box first, then those that came, in their order. */
const allOf = (box: Box): Box[] => [box, ...box.parts.flatMap(allOf)];

export const has = (box: Box, name: ListName, value: string) =>
  allOf(box).some((each) => each[name].has(value));

export function drop(box: Box, name: ListName | MapName, value: string): void {
  for (const each of allOf(box)) each[name].delete(value);
}

/** What a reader sees of it. */
export function viewOf(box: Box) {
  const all = allOf(box);
  const lists = LISTS.map((name) => [name, [...new Set(all.flatMap((each) => [...each[name]]))].sort()]);
  const keysOf = (name: MapName) => [...new Set(all.flatMap((each) => [...each[name].keys()]))].sort();
  const valuesOf = (name: MapName, key: string) => all.flatMap((each) => each[name].get(key) ?? []);
  return {
    headline: all.find(({ headline }) => headline !== null)?.headline ?? null,
    ...Object.fromEntries(lists),
    roles: keysOf('roles').map((deal) => [deal, valuesOf('roles', deal)[0]]),
    // Of two shares the wider access stays.
    shares: keysOf('shares').map((user) => [
      user,
      valuesOf('shares', user).includes('edit') ? 'edit' : 'view',
    ]),
    merged_ids: all.slice(1).length,
  };
}
