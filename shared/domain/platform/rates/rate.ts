/**
 * Sliding-window rate limits over counters of three seconds each. The window covers those of the last 60 seconds, the
 * oldest one in part. Fixed minutes would not do: 600 requests at the end of one and 600 in the course of the next
 * are 1,160 in 60 seconds. A counter is the attribute `m<slot>` of an item, so counting is one ADD in a call
 * that is made anyway. With longer counters the same window covers an hour.
 */
export const KEY_LIMIT = 600;
export const USER_LIMIT = 1_200;

export interface Rate {
  limit: number;
  remaining: number;
  /** Seconds until a request is allowed again; 0 while one is. */
  retry_after: number;
  /** Seconds until the whole limit is available again. */
  reset: number;
}

/** Milliseconds of one counter: of a limit for a minute, and of one for an hour. */
export const SLOT = 3_000;
export const HOURLY_SLOT = 180_000;
/** Slots of a window. */
export const WINDOW = 20;
/**
 * A window may exceed its limit by a fraction of one in `TOLERANCE`: the oldest slot is weighted by the part that the
 * window covers, but is reduced by at most that fraction of the limit. So an even flow just under the limit passes.
 */
const TOLERANCE = 30;

export const slotOf = (now: Date, length = SLOT) => Math.floor(now.getTime() / length);
/** The counters of an item by their slots. */
export type Counters = { [name: `m${number}`]: number };
export type CounterName = keyof Counters & string;

export const counterName = (slot: number): CounterName => `m${slot}`;

const isCounter = (name: string): name is CounterName => /^m\d+$/.test(name);

/** The slot of a counter; undefined for any other attribute. */
function slotNamed(name: string): number | undefined {
  return isCounter(name) ? Number(name.slice(1)) : undefined;
}

/** Counters that no window covers any more, also on a machine whose clock is a slot behind. */
export function staleCounters(item: Record<string, unknown>, now: Date): CounterName[] {
  const oldest = slotOf(now) - WINDOW - 1;
  return Object.keys(item).filter((name): name is CounterName => (slotNamed(name) ?? oldest) < oldest);
}

/** The counters that have just become stale, where it is not known which of them exist. */
export function lastStale(now: Date, length = SLOT): CounterName[] {
  return Array.from({ length: WINDOW }, (_, i) => counterName(slotOf(now, length) - WINDOW - 2 - i));
}

/** The part of an update that counts a request. */
export const counted = (now: Date, length = SLOT): Counters => ({ [counterName(slotOf(now, length))]: 1 });

/** The requests in the window that ends at this slot, in part. Those of a machine whose clock is ahead count as well. */
function usedAt(counters: [number, number][], limit: number, elapsed: number): number {
  const oldest = Math.floor(elapsed) - WINDOW;
  let used = 0;
  for (const [slot, count] of counters) {
    if (slot > oldest) used += count;
    const covered = 1 - (elapsed % 1);
    if (slot === oldest) used += Math.max(count * covered, count - Math.floor(limit / TOLERANCE));
  }
  return used;
}

const SECOND = 1_000;

/** Seconds until one more request fits, if none is made until then. */
function waitFor(counters: [number, number][], limit: number, now: number, length: number): number {
  // Until no window covers a request of now.
  const longest = ((WINDOW + 1) * length) / SECOND;
  let seconds = 1;
  while (seconds < longest && usedAt(counters, limit, (now + seconds * SECOND) / length) + 1 > limit)
    seconds++;
  return seconds;
}

/** `item` is the counting item after this request was added. */
export function measureRate(item: Record<string, unknown>, limit: number, now: Date, length = SLOT): Rate {
  const counters: [number, number][] = [];
  for (const name in item) {
    const value = item[name];
    const slot = typeof value === 'number' ? slotNamed(name) : undefined;
    if (slot !== undefined) counters.push([slot, value as number]);
  }
  const time = now.getTime();
  const newest = Math.max(slotOf(now, length) - WINDOW, ...counters.map(([slot]) => slot));
  const reset = Math.ceil(((newest + WINDOW + 1) * length - time) / SECOND);
  const used = usedAt(counters, limit, time / length);
  if (used <= limit) return { limit, remaining: Math.floor(limit - used), retry_after: 0, reset };
  return { limit, remaining: 0, retry_after: waitFor(counters, limit, time, length), reset };
}
