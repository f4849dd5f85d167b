import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Order } from '#shared/domain/platform/postings/reader.ts';

/** What the caller sees of a person's mail and meetings. */
export interface Interactions {
  /** Counted up to 1,000. */
  thread_count: number;
  /** When the newest message from or to the person was sent, or the last meeting that is over began. */
  last_interaction_at: string | null;
  /** When the next meeting begins. */
  next_interaction_at: string | null;
}

/** A moment, in milliseconds, at which the caller had mail or a meeting with an address, which is in lower case. */
export interface Encounter {
  email_address: string;
  at: number;
}

/** What the caller sees of mail and meetings with everybody, for one response. */
export interface Encounters {
  /**
   * In the order of time, from a moment on. Each address that a contact has comes at its last moment; it may come at
   * earlier ones as well, and other addresses may come. So many are read at first.
   */
  inOrder(order: Order, from: number | undefined, first: number): AsyncGenerator<Encounter>;
  /** The last moment with each of these, for those that there is one with. */
  lastWith(addresses: string[]): Promise<ReadonlyMap<string, number>>;
  /** The same, without reading the mail with addresses that nobody has asked for yet. */
  lastAmongSeen(addresses: string[]): Promise<ReadonlyMap<string, number>>;
  /** The last moment with somebody of an organization; undefined for one with so many people that it is not looked up. */
  lastWithOrganization(organization_id: string): Promise<number | undefined>;
  /** Whether it is looked up. */
  isLookedUp(organization_id: string): Promise<boolean>;
}

/** Threads and events, for records of people and for spaces. */
export interface KnowsInteractions {
  /** With one of these addresses, which are in lower case. */
  interactionsWith(ctx: CallerContext, addresses: string[]): Promise<Interactions>;
  encounters(ctx: CallerContext): Encounters;
  /** The addresses of contacts in mail that is newer than this moment, in milliseconds, and those of meetings that began since and are over. */
  addressesSince(ctx: CallerContext, since: number): Promise<string[]>;
  /** The threads of a space, counted up to 1,000. */
  countThreadsOf(ctx: CallerContext, space_id: string): Promise<number>;
}
