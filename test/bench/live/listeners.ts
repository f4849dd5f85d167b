import type { Client } from '#shared/api/client.ts';
import type { LiveMessage, Subscription } from '#shared/api/subscribe.ts';
import type { families } from '../../../functions/catalogue.ts';

export type Api = Client<typeof families>;

/** Clients that listen, each on a socket of its own, and what they were told of. */
export class Listeners {
  readonly #subscriptions: Subscription[];
  /** Those who were told of a comment, while not all were: what is known of a long run stays small. */
  readonly #told = new Map<string, Set<number>>();
  readonly #complete = new Set<string>();
  #reread = 0;
  messages = 0;
  /** Of a comment of which the client knew. */
  repeated = 0;
  /** Moment of the last message, in milliseconds. */
  last = 0;

  constructor(clients: readonly Api[]) {
    this.#subscriptions = clients.map((api, i) =>
      api.subscribe({
        onMessage: (message) => this.#take(i, message),
        onReread: () => {
          this.#reread++;
        },
      }),
    );
  }

  #take(listener: number, { type, data }: LiveMessage): void {
    this.messages++;
    this.last = Date.now();
    if (type === 'comment.changed') this.#note(listener, data.id);
  }

  #note(listener: number, id: string): void {
    const told = this.#told.get(id) ?? new Set();
    if (this.#complete.has(id) || told.has(listener)) {
      this.repeated++;
      return;
    }
    this.#told.set(id, told.add(listener));
    if (told.size < this.#subscriptions.length) return;
    this.#told.delete(id);
    this.#complete.add(id);
  }

  get isOpen(): boolean {
    return this.#reread >= this.#subscriptions.length;
  }

  /** Connections that were lost and made again. */
  get again(): number {
    return this.#reread - this.#subscriptions.length;
  }

  /** Messages of these comments that did not come. */
  missed(ids: readonly string[]): number {
    const all = this.#subscriptions.length;
    return ids.reduce(
      (sum, id) => sum + (this.#complete.has(id) ? 0 : all - (this.#told.get(id)?.size ?? 0)),
      0,
    );
  }

  close(): void {
    for (const subscription of this.#subscriptions) subscription.close();
  }
}
