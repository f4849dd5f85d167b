import { begun } from '#shared/begun.ts';
import type { Hits } from './hits.ts';
import type { TypedSource } from './merge.ts';

/** Reads what comes behind a stage while that is read, where it does not fill the page: in fewer round trips, for the same. */
export class Behind {
  readonly #next: TypedSource[];
  readonly #later: TypedSource[];
  readonly #hits: Hits;

  constructor([next = [], ...later]: TypedSource[][], hits: Hits) {
    this.#next = next;
    this.#later = later.flat();
    this.#hits = hits;
  }

  /** So many results are missing as far as lists tell: reads what the next ones need. */
  begin(missing: number): void {
    if (missing <= 0) return;
    this.#begin(this.#next, missing);
    for (const { source } of this.#later) source.prepare?.();
  }

  /** The stage is at its end, and so many may be missing: reads the next ones, and what they say. */
  read(missing: number): void {
    if (missing <= 0) return;
    this.#begin([...this.#next, ...this.#later], missing);
    for (const each of this.#next) void begun(this.#read(each, missing));
  }

  #begin(sources: TypedSource[], missing: number): void {
    for (const { source } of sources) void begun(Promise.resolve(source.begin?.(missing)));
  }

  async #read({ type, source }: TypedSource, missing: number): Promise<void> {
    if (!type) return;
    const first = (await source.peek?.(missing)) ?? [];
    await this.#hits.of(
      type,
      first.map(({ id }) => id),
    );
  }
}
