import { ModelFailed } from '#shared/domain/assistant/answering/failure.ts';

/** Milliseconds until the deadline; throws `timed_out` when there are none. */
export function timeLeft(deadline: number): number {
  const left = deadline - Date.now();
  if (left <= 0) throw new ModelFailed('timed_out', 'No time was left for the model');
  return left;
}
