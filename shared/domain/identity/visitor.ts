import type { Visitor } from '#shared/context.ts';

/** Characters of a `User-Agent`: it is whatever a client sends. */
const MOST_OF_AGENT = 500;

export interface Seen {
  ip_address: string | null;
  user_agent: string | null;
}

/** What is kept of whoever sent a request; nulls without a request. */
export function seenAs({ source_ip, user_agent }: Partial<Visitor>): Seen {
  return {
    ip_address: source_ip || null,
    user_agent: user_agent?.slice(0, MOST_OF_AGENT).toWellFormed() ?? null,
  };
}
