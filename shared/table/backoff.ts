/**
 * Tries at most, when other requests interfere or the table throttles. With the pauses, one call takes 6 seconds at
 * most, so a request (29 s) still returns its own error.
 */
export const TRIES = 10;

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Milliseconds between two tries at most. */
export const longestPause = (attempt: number) => Math.min(1_000, 20 * 2 ** attempt);

/** Full jitter: https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/ */
export const backoff = (attempt: number) => pause(Math.random() * longestPause(attempt));

/**
 * Retries the work with growing pauses while `passes` says that the error is temporary. Throws the error of the last
 * try.
 */
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
