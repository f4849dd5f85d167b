/**
 * Sliding-window rate limits over two counters: the requests of this minute and of the minute before, the latter
 * weighted by the part of it that the window of 60 seconds still covers. A counter is the attribute `m<minute>` of
 * an item, so counting is one ADD in a call that is made anyway.
 */
export const KEY_LIMIT = 600;
export const USER_LIMIT = 1_200;

export interface Rate {
  limit: number;
  remaining: number;
  /** Seconds until a request is allowed again; 0 while one is. */
  retry_after: number;
  /** Seconds until the whole limit is there again. */
  reset: number;
}

const MINUTE = 60_000;

export const minuteOf = (now: Date) => Math.floor(now.getTime() / MINUTE);
export const counterName = (minute: number) => `m${minute}`;

/** Counters of past minutes that no window covers any more. */
export function staleCounters(item: Record<string, unknown>, now: Date): string[] {
  const oldest = minuteOf(now) - 1;
  return Object.keys(item).filter((name) => /^m\d+$/.test(name) && Number(name.slice(1)) < oldest);
}

function count(item: Record<string, unknown>, minute: number): number {
  const value = item[counterName(minute)];
  return typeof value === 'number' ? value : 0;
}

/** `item` is the counting item after this request was added. */
export function measureRate(item: Record<string, unknown>, limit: number, now: Date): Rate {
  const minute = minuteOf(now);
  const elapsed = now.getTime() / MINUTE - minute;
  const current = count(item, minute);
  const previous = count(item, minute - 1);
  const used = previous * (1 - elapsed) + current;
  const reset = Math.max(1, Math.ceil((current > 0 ? 2 - elapsed : 1 - elapsed) * 60));
  if (used <= limit) return { limit, remaining: Math.floor(limit - used), retry_after: 0, reset };
  return { limit, remaining: 0, retry_after: secondsUntilAllowed(current, previous, elapsed, limit), reset };
}

/** When one more request would fit, if none is made until then. */
function secondsUntilAllowed(current: number, previous: number, elapsed: number, limit: number): number {
  const room = limit - 1;
  if (current <= room) {
    // previous * (1 - t) + current + 1 <= limit
    const t = 1 - (room - current) / previous;
    return Math.max(1, Math.ceil((t - elapsed) * 60));
  }
  const t = 1 - room / current;
  return Math.max(1, Math.ceil((1 - elapsed + t) * 60));
}
