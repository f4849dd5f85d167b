/** Tries at most, when other requests are in the way. */
export const CONFLICT_TRIES = 10;

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
/** Full jitter: https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/ */
export const backoff = (attempt: number) => pause(Math.random() * Math.min(1_000, 20 * 2 ** attempt));
