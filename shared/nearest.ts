import { closestMatch } from 'leven';

/** Letters that may differ: two are a swapped pair (`prot` for `port`). Short names are all near one another. */
function tolerance(name: string): number {
  if (name.length < 4) return 1;
  return name.length < 9 ? 2 : 3;
}

/** Case and separators are not misspelt: `userId` and `user_id` are one name. */
const fold = (name: string) => name.toLowerCase().replaceAll(/[-_ ]/g, '');

/** The known name that a misspelt one most likely means; undefined when none is near. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const folded = new Map(known.map((each) => [fold(each), each]));
  const found = closestMatch(fold(name), [...folded.keys()], { maxDistance: tolerance(name) });
  return found === undefined ? undefined : folded.get(found);
}
