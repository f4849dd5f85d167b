/**
 * - `throttled`: too many requests for now
 * - `unavailable`: the provider fails, or its answer broke off
 * - `timed_out`: no whole answer in time
 * - `refused`: the content of question or answer is not allowed there
 * - `misconfigured`: address, key, model or rights do not fit; nothing changes until somebody changes them
 * - `malformed`: what came is no answer, or larger than 1 MB
 */
export type ModelFailure =
  | 'throttled'
  | 'unavailable'
  | 'timed_out'
  | 'refused'
  | 'misconfigured'
  | 'malformed';

/** The message names the model, statuses and codes, never the conversation: it may be logged. */
export class ModelFailed extends Error {
  readonly reason: ModelFailure;
  /** Seconds after which the provider accepts a retry, if it said so. */
  readonly retry_after: number | undefined;

  constructor(reason: ModelFailure, message: string, options: ErrorOptions & { retry_after?: number } = {}) {
    super(message, options);
    this.name = 'ModelFailed';
    this.reason = reason;
    this.retry_after = options.retry_after;
  }
}

/** Whether the same request may succeed later. A model's output varies, so this includes `malformed`. */
export function isTransient({ reason }: ModelFailed): boolean {
  return reason !== 'refused' && reason !== 'misconfigured';
}
