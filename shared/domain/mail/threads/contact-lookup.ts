import type { KnowsContacts } from '#shared/domain/collaboration/records/contact-book.ts';
import type { Caller } from '#shared/domain/identity/caller.ts';
import type { ServicesWith } from '#shared/services.ts';

/** The caller's contacts by address, each address looked up once. */
export class ContactLookup {
  readonly #services: ServicesWith<KnowsContacts>;
  readonly #caller: Caller;
  readonly #asked = new Set<string>();
  readonly #lookups: Promise<void>[] = [];
  readonly #found = new Map<string, { id: string; name: string }>();

  constructor(services: ServicesWith<KnowsContacts>, caller: Caller) {
    this.#services = services;
    this.#caller = caller;
  }

  /** Starts looking up what was not asked for before. */
  ask(addresses: Iterable<string>): void {
    const unknown = [...addresses].filter((address) => !this.#asked.has(address));
    if (unknown.length === 0) return;
    for (const address of unknown) this.#asked.add(address);
    this.#lookups.push(this.#lookUp(unknown));
  }

  async #lookUp(addresses: string[]): Promise<void> {
    const { table, ports } = this.#services;
    const found = await ports.contacts.findByAddress(table, this.#caller, addresses);
    for (const [address, contact] of found) this.#found.set(address, contact);
  }

  /** All that was asked for. */
  async contacts(): Promise<ReadonlyMap<string, { id: string; name: string }>> {
    await Promise.all(this.#lookups);
    return this.#found;
  }
}
