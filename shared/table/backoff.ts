/**
 * Tries at most, when other requests are in the way or the table has no room. With the pauses that is 6 seconds for
 * one call, so that a request (29 s) still answers by itself that it failed.
 */
export const TRIES = 10;

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Milliseconds between a try and the next at most. */
export const longestPause = (attempt: number) => Math.min(1_000, 20 * 2 ** attempt);

/** Full jitter: https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/ */
export const backoff = (attempt: number) => pause(Math.random() * longestPause(attempt));

/** Does the work again, later each time, while what it fails of may pass. Throws what the last try failed of. */
export async function retry<T>(work: () => Promise<T>, passes: (error: unknown) => boolean): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= TRIES || !passes(error)) throw error;
      await backoff(attempt);
    }
  }
}
