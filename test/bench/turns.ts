import { type Extent, median } from './numbers.ts';

/** Microseconds of variants that take turns, so that a slow moment affects all of them. */

/** Many short ones: another process disturbs a few of them. */
export const ROUNDS = 35;
/** In a round. */
export const CALLS = 200;
/** Rounds, calls in each, and rounds before them that warm up the compiler. */
const FULL = { rounds: ROUNDS, calls: CALLS, first: 10 };
const SMALL = { rounds: 1, calls: 10, first: 0 };

export interface Variant {
  name: string;
  /** Before each round. */
  prepare?: () => void;
  invoke: () => Promise<unknown>;
}

async function round({ invoke }: Variant, calls: number): Promise<number> {
  const start = performance.now();
  for (let i = 0; i < calls; i++) await invoke();
  return ((performance.now() - start) * 1_000) / calls;
}

/** The median of the rounds of each variant, by its name. */
export async function measure(
  variants: Variant[],
  { small }: Extent,
  warmUp = FULL.first,
): Promise<Map<string, number>> {
  const { rounds, calls, first } = small ? SMALL : { ...FULL, first: warmUp };
  const times = new Map<string, number[]>(variants.map(({ name }) => [name, []]));
  for (let i = -first; i < rounds; i++)
    for (const variant of variants) {
      variant.prepare?.();
      const time = await round(variant, calls);
      if (i >= 0) times.get(variant.name)?.push(time);
    }
  return new Map([...times].map(([name, values]) => [name, median(values)]));
}
