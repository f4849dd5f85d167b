/**
 * Lets work that shares a key take turns, in the order in which it was given: replies after the message that they
 * answer, the second row with an address after the first one.
 */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs the work after all earlier work with one of the keys is settled. */
  async take<T>(keys: Iterable<string>, work: () => Promise<T>): Promise<T> {
    const own = new Set(keys);
    const before = [...own].map((key) => this.#last.get(key));
    const done = Promise.allSettled(before).then(work);
    for (const key of own) this.#last.set(key, done);
    try {
      return await done;
    } finally {
      for (const key of own) if (this.#last.get(key) === done) this.#last.delete(key);
    }
  }
}
