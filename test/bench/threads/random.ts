/** From 0 up to 1, without 1. */
export type Random = () => number;

/** The same numbers in every run (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** `count` of the numbers below `of`. */
export function pick(random: Random, count: number, of: number): Set<number> {
  const numbers = Array.from({ length: of }, (_, number) => number);
  for (let i = 0; i < count; i++) {
    const other = i + Math.floor(random() * (of - i));
    [numbers[i], numbers[other]] = [numbers[other] as number, numbers[i] as number];
  }
  return new Set(numbers.slice(0, count));
}
