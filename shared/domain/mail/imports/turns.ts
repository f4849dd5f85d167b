/**
 * Has messages that name one id put into their threads one after the other, in the order in which they come: most
 * archives have a message before its answers, and threads that were begun at the same moment would have to be made one.
 */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs the work when all that was begun before with one of the ids is done, whatever became of it. */
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
