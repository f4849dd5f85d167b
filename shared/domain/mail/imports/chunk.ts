import type { ArchiveEntry, ArchivePosition } from '#shared/domain/mail/archives/archive.ts';
import type { Met } from '#shared/domain/mail/correspondents/met.ts';
import { addressesOf } from '#shared/domain/mail/threads/entry.ts';
import type { Heard } from '#shared/domain/mail/threads/ingest.ts';
import type { Outcome } from './entry.ts';
import { SHOWN_FAILURES } from './import.ts';
import type { Progress } from './store.ts';

/** The results of an import since its last recorded position. */

/**
 * Messages whose threads are refreshed and counted together: the more of a conversation is in one chunk, the less often
 * its place in its readers' lists changes; the more readers, the longer a chunk takes.
 */
const MOST_MESSAGES = 200;
const FEWEST_MESSAGES = 50;
const MESSAGES_TIMES_READERS = 1_000;

function messagesOfChunk(readers: number): number {
  const some = Math.floor(MESSAGES_TIMES_READERS / readers);
  return Math.min(MOST_MESSAGES, Math.max(FEWEST_MESSAGES, some));
}

/** Bytes after which a chunk ends early, so that it never takes minutes. */
const BYTES = 50_000_000;
/** Failed entries are cheap, and an archive may be full of them: a zip of photos. */
const FAILURES = 500;
/** Entries of one chunk at most. */
export const LONGEST_CHUNK = MOST_MESSAGES + FAILURES;

/** Messages processed in parallel, and their bytes: one may have 25 MB. */
const AT_ONCE = 16;
const BYTES_AT_ONCE = 30_000_000;

export interface Failure {
  ordinal: number;
  name: string | null;
  reason: string;
  message: string;
}

const bytesOf = (entry: ArchiveEntry) => ('raw' in entry ? entry.raw.length : 0);

export class Chunk {
  readonly #messages: number;
  #position: ArchivePosition;
  #bytes = 0;
  #entries = 0;
  readonly #counts = { imported: 0, skipped: 0 };
  readonly #failures: Failure[] = [];
  readonly #threads = new Set<string>();
  readonly #met: Met[] = [];
  readonly #heard = new Map<string, number>();
  readonly #running = new Map<Promise<void>, number>();
  #unfinished_from: number | undefined;
  #error: unknown;

  constructor(position: ArchivePosition, readers: number) {
    this.#position = position;
    this.#messages = messagesOfChunk(readers);
  }

  get isEmpty(): boolean {
    return this.#entries === 0;
  }

  get isFull(): boolean {
    const messages = this.#entries - this.#failures.length;
    return messages >= this.#messages || this.#bytes >= BYTES || this.#failures.length >= FAILURES;
  }

  get threads(): string[] {
    return [...this.#threads];
  }

  /** What its messages say about people. */
  get met(): readonly Met[] {
    return this.#met;
  }

  /** By address: when its newest message with it was sent, in milliseconds. */
  get heard(): ReadonlyMap<string, number> {
    return this.#heard;
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

  /** Starts the work on an entry as soon as there is room. `settled` throws its errors. */
  async add(entry: ArchiveEntry, work: () => Promise<Outcome>): Promise<void> {
    await this.#room(bytesOf(entry));
    this.#entries++;
    this.#bytes += bytesOf(entry);
    this.#position = entry.next;
    const done = work()
      .then((outcome) => this.#count(entry, outcome))
      .catch((error: unknown) => {
        this.#error ??= error;
      })
      .finally(() => this.#running.delete(done));
    this.#running.set(done, bytesOf(entry));
  }

  async #room(bytes: number): Promise<void> {
    const used = () => [...this.#running.values()].reduce((sum, each) => sum + each, 0);
    while (this.#running.size >= AT_ONCE || (this.#running.size > 0 && used() + bytes > BYTES_AT_ONCE))
      await Promise.race(this.#running.keys());
  }

  #count({ ordinal, name }: ArchiveEntry, outcome: Outcome): void {
    if ('failed' in outcome) {
      this.#failures.push({ ordinal, name, ...outcome.failed });
      if (outcome.begun) this.#unfinished_from = Math.min(ordinal, this.#unfinished_from ?? ordinal);
    } else {
      this.#counts[outcome.outcome]++;
      if (outcome.thread_id === null) return;
      this.#threads.add(outcome.thread_id);
      this.#met.push(...outcome.met);
      this.#hear(outcome.heard);
    }
  }

  #hear(heard: Heard): void {
    for (const { email_address } of addressesOf(heard))
      this.#heard.set(email_address, Math.max(heard.sent, this.#heard.get(email_address) ?? heard.sent));
  }

  /** Resolves when all started work is done; then throws the first error. */
  async settled(): Promise<void> {
    await Promise.all(this.#running.keys());
    if (this.#error !== undefined) throw this.#error;
  }
}
