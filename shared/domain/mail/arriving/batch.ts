import type { Met } from '#shared/domain/mail/correspondents/met.ts';
import { addressesOf } from '#shared/domain/mail/threads/entry.ts';
import type { Heard } from '#shared/domain/mail/threads/ingest.ts';
import type { Taken } from './take.ts';

/** Messages that arrive together, and what they say. */

/**
 * Messages whose threads are refreshed and counted together: the more of a conversation is in one batch, the less often
 * its place in its readers' lists changes; the more readers, the longer a batch takes.
 */
export const MOST_MESSAGES = 200;
const FEWEST_MESSAGES = 50;
const MESSAGES_TIMES_READERS = 1_000;

function messagesOfBatch(readers: number): number {
  const some = Math.floor(MESSAGES_TIMES_READERS / readers);
  return Math.min(MOST_MESSAGES, Math.max(FEWEST_MESSAGES, some));
}

/** Bytes after which a batch ends early, so that it never takes minutes. */
const BYTES = 50_000_000;
/** Failed messages are cheap, and an archive may be full of them: a zip of photos. */
export const FAILURES = 500;

/** Messages processed in parallel, and their bytes: one may have 25 MB. */
const AT_ONCE = 16;
const BYTES_AT_ONCE = 30_000_000;

export class Batch {
  readonly #messages: number;
  #bytes = 0;
  #entries = 0;
  #failed = 0;
  #taken = 0;
  readonly #threads = new Set<string>();
  readonly #met: Met[] = [];
  readonly #heard = new Map<string, number>();
  readonly #running = new Map<Promise<void>, number>();
  #error: unknown;

  constructor(readers: number) {
    this.#messages = messagesOfBatch(readers);
  }

  get isEmpty(): boolean {
    return this.#entries === 0;
  }

  get isFull(): boolean {
    const messages = this.#entries - this.#failed;
    return messages >= this.#messages || this.#bytes >= BYTES || this.#failed >= FAILURES;
  }

  get threads(): string[] {
    return [...this.#threads];
  }

  /** How many messages are in threads. */
  get messages(): number {
    return this.#taken;
  }

  /** What its messages say about people. */
  get met(): readonly Met[] {
    return this.#met;
  }

  /** By address: when its newest message with it was sent, in milliseconds. */
  get heard(): ReadonlyMap<string, number> {
    return this.#heard;
  }

  /** Starts the work on a message as soon as there is room, and hands on what comes of it. `settled` throws its errors. */
  async start(bytes: number, work: () => Promise<Taken>, done: (taken: Taken) => void): Promise<void> {
    await this.#room(bytes);
    this.#entries++;
    this.#bytes += bytes;
    const running = work()
      .then((taken) => {
        this.#count(taken);
        done(taken);
      })
      .catch((error: unknown) => {
        this.#error ??= error;
      })
      .finally(() => this.#running.delete(running));
    this.#running.set(running, bytes);
  }

  async #room(bytes: number): Promise<void> {
    const used = () => [...this.#running.values()].reduce((sum, each) => sum + each, 0);
    while (this.#running.size >= AT_ONCE || (this.#running.size > 0 && used() + bytes > BYTES_AT_ONCE))
      await Promise.race(this.#running.keys());
  }

  #count(taken: Taken): void {
    if ('failed' in taken) {
      this.#failed++;
    } else if (taken.thread_id !== null) {
      this.#taken++;
      this.#threads.add(taken.thread_id);
      this.#met.push(...taken.met);
      this.#hear(taken.heard);
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
