/** Random choices that a seed repeats. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** Mulberry32 (Tommy Ettinger, public domain): at least 0, below 1. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  int(min: number, max: number): number {
    return min + Math.floor(this.#next() * (max - min + 1));
  }

  /** True that many times in a hundred. */
  chance(percent: number): boolean {
    return this.int(1, 100) <= percent;
  }

  pick<T>(from: readonly T[]): T {
    return from[this.int(0, from.length - 1)] as T;
  }

  /** Some of them, at least `least`. */
  some<T>(from: readonly T[], least = 0): T[] {
    return this.shuffled(from).slice(0, this.int(least, from.length));
  }

  shuffled<T>(list: readonly T[]): T[] {
    const left = [...list];
    return list.map(() => left.splice(this.int(0, left.length - 1), 1)[0] as T);
  }
}
