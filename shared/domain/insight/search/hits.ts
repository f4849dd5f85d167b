import { begun } from '#shared/begun.ts';
import type { Hit, SearchContext, SearchesRecords, SearchType } from './kind.ts';

type Read = Promise<Map<string, Hit>>;

/** The records of one search: each is read once, whichever lists name it. */
export class Hits {
  readonly #ctx: SearchContext & { ports: SearchesRecords };
  readonly #reads = new Map<SearchType, Map<string, Read>>();

  constructor(ctx: SearchContext & { ports: SearchesRecords }) {
    this.#ctx = ctx;
  }

  /** Those that the caller sees. */
  async of(type: SearchType, ids: string[]): Promise<Hit[]> {
    const reads = this.#reads.get(type) ?? new Map<string, Read>();
    this.#reads.set(type, reads);
    const unread = ids.filter((id) => !reads.has(id));
    if (unread.length > 0) {
      const read = begun(this.#read(type, unread));
      for (const id of unread) reads.set(id, read);
    }
    const found = await Promise.all(ids.map(async (id) => (await reads.get(id))?.get(id)));
    return found.filter((hit) => hit !== undefined);
  }

  async #read(type: SearchType, ids: string[]): Read {
    const kind = this.#ctx.ports.searchables[type];
    kind.around?.(this.#ctx);
    const hits = await kind.read(this.#ctx, ids);
    return new Map(hits.map((hit) => [hit.id, hit]));
  }
}
