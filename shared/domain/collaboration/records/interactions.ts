import type { CallerContext } from '#shared/domain/identity/caller.ts';

/** What the caller sees of a person's mail and meetings. */
export interface Interactions {
  /** Counted up to 1,000. */
  thread_count: number;
  /** When the newest message of these threads was sent, or the last meeting began. */
  last_interaction_at: string | null;
  /** When the next meeting begins. */
  next_interaction_at: string | null;
}

/** Threads and events, for records of people and for spaces. */
export interface KnowsInteractions {
  /** With one of these addresses, which are in lower case. */
  interactionsWith(ctx: CallerContext, addresses: string[]): Promise<Interactions>;
  /** With somebody of an organization; null for one with so many people that it is not looked up. */
  lastInteractionWith(ctx: CallerContext, organization_id: string): Promise<string | null>;
  /** The addresses of mail that is newer than this moment, in milliseconds, and of meetings that began since and are over. */
  addressesSince(ctx: CallerContext, since: number): Promise<string[]>;
  /** The threads of a space, counted up to 1,000. */
  countThreadsOf(ctx: CallerContext, space_id: string): Promise<number>;
}
