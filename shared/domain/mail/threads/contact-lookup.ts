import { begun } from '#shared/begun.ts';
import type { KnowsContacts } from '#shared/domain/collaboration/records/contact-book.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';

/** The caller's contacts by address, each address looked up once. */
export class ContactLookup {
  readonly #ctx: CallerContext<KnowsContacts>;
  readonly #asked = new Set<string>();
  readonly #lookups: Promise<void>[] = [];
  readonly #found = new Map<string, { id: string; name: string }>();

  constructor(ctx: CallerContext<KnowsContacts>) {
    this.#ctx = ctx;
  }

  /** Starts looking up new addresses. */
  ask(addresses: Iterable<string>): void {
    const unknown = [...addresses].filter((address) => !this.#asked.has(address));
    if (unknown.length === 0) return;
    for (const address of unknown) this.#asked.add(address);
    this.#lookups.push(begun(this.#lookUp(unknown)));
  }

  async #lookUp(addresses: string[]): Promise<void> {
    const found = await this.#ctx.ports.contacts.findByAddress(this.#ctx, addresses);
    for (const [address, contact] of found) this.#found.set(address, contact);
  }

  /** The contacts of all addresses so far. */
  async contacts(): Promise<ReadonlyMap<string, { id: string; name: string }>> {
    await Promise.all(this.#lookups);
    return this.#found;
  }
}
