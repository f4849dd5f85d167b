import { begun } from '#shared/begun.ts';
import type { Encounter, Encounters } from '#shared/domain/collaboration/records/interactions.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { lastMailWith, mailInOrder } from '#shared/domain/mail/last-mail/read.ts';
import { addressesOfOrganization } from '#shared/domain/mail/threads/interactions.ts';
import { lastSharedMail } from '#shared/domain/mail/threads/lists/shared.ts';
import { behind, isAhead, type Order, restFrom } from '#shared/domain/platform/postings/reader.ts';
import { timeRank } from '#shared/table/keys.ts';
import { lastMeetings } from './met.ts';

/** Mail and meetings as one (docs/decisions/0054). */

/** Addresses of an organization that are looked up for one response. */
const MOST_ADDRESSES = 200;

type Last = ReadonlyMap<string, number>;

const NEVER = Number.NEGATIVE_INFINITY;

/** The later moment of each address. */
export function latest(a: Last, b: Last): Map<string, number> {
  const both = new Map(a);
  for (const [address, moment] of b) both.set(address, Math.max(moment, both.get(address) ?? NEVER));
  return both;
}

/** Before those of a moment, in milliseconds: the rank of the first posting at it. */
const boundsFrom = (order: Order, from: number | undefined) =>
  from === undefined ? {} : restFrom[order](order === 'asc' ? timeRank(from) : behind.asc(timeRank(from)));

/** Two sequences in one order. */
async function* merged(
  order: Order,
  some: AsyncGenerator<Encounter>,
  others: Iterator<Encounter>,
): AsyncGenerator<Encounter> {
  const rank = ({ at }: Encounter) => timeRank(at);
  let [a, b] = [await some.next(), others.next()];
  for (;;) {
    if (!a.done && (b.done || !isAhead[order](rank(b.value), rank(a.value)))) {
      yield a.value;
      a = await some.next();
    } else if (!b.done) {
      yield b.value;
      b = others.next();
    } else return;
  }
}

/** Mail of the caller's mailboxes is in lists; what is shared, and meetings, are read whole, once. */
export class AllEncounters implements Encounters {
  readonly #ctx: CallerContext;
  #beside: Promise<Last> | undefined;
  readonly #mail = new Map<string, number | undefined>();
  readonly #organizations = new Map<string, Promise<number | undefined>>();
  readonly #people = new Map<string, Promise<string[] | undefined>>();

  constructor(ctx: CallerContext) {
    this.#ctx = ctx;
  }

  #readBeside(): Promise<Last> {
    this.#beside ??= Promise.all([lastSharedMail(this.#ctx), lastMeetings(this.#ctx)]).then(([shared, met]) =>
      latest(shared, met),
    );
    return this.#beside;
  }

  async *inOrder(order: Order, from: number | undefined, size: number): AsyncGenerator<Encounter> {
    const mail = mailInOrder(this.#ctx, order, boundsFrom(order, from), size);
    const [first, beside] = await Promise.all([mail.next(), this.#readBeside()]);
    const others = [...beside]
      .map(([email_address, at]) => ({ email_address, at }))
      .filter(({ at }) => from === undefined || (order === 'asc' ? at >= from : at <= from))
      .sort((a, b) => (order === 'asc' ? a.at - b.at : b.at - a.at));
    async function* mails() {
      for (let next = first; !next.done; next = await mail.next())
        // What is later beside tells the place of an address.
        if ((beside.get(next.value.email_address) ?? NEVER) <= next.value.at) yield next.value;
    }
    yield* merged(order, mails(), others.values());
  }

  async lastWith(addresses: string[]): Promise<Last> {
    const unknown = addresses.filter((address) => !this.#mail.has(address));
    const [read] = await Promise.all([lastMailWith(this.#ctx, unknown), this.#readBeside()]);
    for (const address of unknown) this.#mail.set(address, read.get(address));
    return this.lastAmongSeen(addresses);
  }

  async lastAmongSeen(addresses: string[]): Promise<Last> {
    const beside = await this.#readBeside();
    return new Map(
      addresses.flatMap((address) => {
        const last = Math.max(this.#mail.get(address) ?? NEVER, beside.get(address) ?? NEVER);
        return last === NEVER ? [] : [[address, last] as const];
      }),
    );
  }

  #addressesOf(organization_id: string): Promise<string[] | undefined> {
    const addresses =
      this.#people.get(organization_id) ??
      begun(addressesOfOrganization(this.#ctx, organization_id, MOST_ADDRESSES));
    this.#people.set(organization_id, addresses);
    return addresses;
  }

  lastWithOrganization(organization_id: string): Promise<number | undefined> {
    const last = this.#organizations.get(organization_id) ?? begun(this.#lastWithPeople(organization_id));
    this.#organizations.set(organization_id, last);
    return last;
  }

  async #lastWithPeople(organization_id: string): Promise<number | undefined> {
    const addresses = await this.#addressesOf(organization_id);
    if (!addresses) return undefined;
    const last = await this.lastWith(addresses);
    return last.size > 0 ? Math.max(...last.values()) : undefined;
  }

  async isLookedUp(organization_id: string): Promise<boolean> {
    return (await this.#addressesOf(organization_id)) !== undefined;
  }
}
