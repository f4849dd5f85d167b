/** What this process has read last, by names that begin with the account, of things that change seldom. */
export class Remembered<T> {
  readonly #most: number;
  readonly #kept = new Map<string, T>();

  constructor(most: number) {
    this.#most = most;
  }

  get(name: string): T | undefined {
    return this.#kept.get(name);
  }

  /** The oldest goes when there are too many. */
  keep(name: string, value: T): T {
    this.#kept.delete(name);
    this.#kept.set(name, value);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > this.#most && oldest !== undefined) this.#kept.delete(oldest);
    return value;
  }
}
