import { begun } from '#shared/begun.ts';

/**
 * What the records of one response show of others, such as the employers of contacts. These are read in the same step as the
 * records where something says before which they are, so that they cost no round trip.
 */
export class Ahead<T> {
  readonly #read: (ids: string[]) => Promise<Map<string, T>>;
  readonly #asked = new Set<string>();
  readonly #reads: Promise<Map<string, T>>[] = [];

  constructor(read: (ids: string[]) => Promise<Map<string, T>>) {
    this.#read = read;
  }

  /** Begins to read those that are not read yet. */
  expect(ids: string[]): void {
    const further = [...new Set(ids)].filter((id) => !this.#asked.has(id));
    if (further.length === 0) return;
    for (const id of further) this.#asked.add(id);
    this.#reads.push(begun(this.#read(further)));
  }

  /** By id, all that were read. */
  async of(ids: string[]): Promise<Map<string, T>> {
    this.expect(ids);
    return new Map((await Promise.all(this.#reads)).flatMap((each) => [...each]));
  }
}
