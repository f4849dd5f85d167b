import type { ArchiveEntry, ArchivePosition } from '#shared/domain/mail/archives/archive.ts';
import { Batch, FAILURES, MOST_MESSAGES } from '#shared/domain/mail/arriving/batch.ts';
import type { Taken } from '#shared/domain/mail/arriving/take.ts';
import { SHOWN_FAILURES } from './import.ts';
import type { Progress } from './store.ts';

/** Entries of one chunk at most. */
export const LONGEST_CHUNK = MOST_MESSAGES + FAILURES;

export interface Failure {
  ordinal: number;
  name: string | null;
  reason: string;
  message: string;
}

/** The results of an import since its last recorded position. */
export class Chunk extends Batch {
  #position: ArchivePosition;
  readonly #counts = { imported: 0, skipped: 0 };
  readonly #failures: Failure[] = [];
  #unfinished_from: number | undefined;

  constructor(position: ArchivePosition, readers: number) {
    super(readers);
    this.#position = position;
  }

  get progress(): Progress {
    const failed = this.#failures.length;
    return { position: this.#position, ...this.#counts, failed, unfinished_from: this.#unfinished_from };
  }

  /** The failures to list, when `before` are listed already. */
  shownFailures(before: number): Failure[] {
    const inOrder = this.#failures.toSorted((a, b) => a.ordinal - b.ordinal);
    return inOrder.slice(0, Math.max(0, SHOWN_FAILURES - before));
  }

  /** Starts the work on an entry as soon as there is room. */
  async add(entry: ArchiveEntry, work: () => Promise<Taken>): Promise<void> {
    const bytes = 'raw' in entry ? entry.raw.length : 0;
    await this.start(bytes, work, (taken) => this.#count(entry, taken));
    this.#position = entry.next;
  }

  #count({ ordinal, name }: ArchiveEntry, taken: Taken): void {
    if ('failed' in taken) {
      this.#failures.push({ ordinal, name, ...taken.failed });
      if (taken.begun) this.#unfinished_from = Math.min(ordinal, this.#unfinished_from ?? ordinal);
    } else {
      this.#counts[taken.outcome]++;
    }
  }
}
