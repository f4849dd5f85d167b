import type { CallerContext } from '#shared/domain/identity/caller.ts';

/** What the caller sees of a person's mail. */
export interface Interactions {
  /** Counted up to 1,000. */
  thread_count: number;
  /** When the newest message of these threads was sent. */
  last_interaction_at: string | null;
}

/** Threads, for records of people and for spaces. */
export interface KnowsInteractions {
  /** Of the threads with one of these addresses, which are in lower case. */
  interactionsWith(ctx: CallerContext, addresses: string[]): Promise<Interactions>;
  /** The threads of a space, counted up to 1,000. */
  countThreadsOf(ctx: CallerContext, space_id: string): Promise<number>;
}
