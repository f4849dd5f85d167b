/**
 * Threads messages that share an id one after the other, in archive order: most archives have a message before its
 * replies, and threads that were started in parallel would have to be merged.
 */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs the work after all earlier work with one of the ids is settled. */
  async take<T>(ids: Iterable<string>, work: () => Promise<T>): Promise<T> {
    const own = new Set(ids);
    const before = [...own].map((id) => this.#last.get(id));
    const done = Promise.allSettled(before).then(work);
    for (const id of own) this.#last.set(id, done);
    try {
      return await done;
    } finally {
      for (const id of own) if (this.#last.get(id) === done) this.#last.delete(id);
    }
  }
}
