/** Why there is no answer, for the person who asked: the text of a failed reply. */
export const reasons = {
  hidden: 'You can no longer see what you asked about.',
  off: 'The assistant is turned off.',
  impossible: 'What the assistant found cannot be stored.',
  too_often: 'The assistant could not finish its answer. Please ask again.',
  throttled: 'The assistant is busy. Please ask again in a few minutes.',
  unavailable: 'The assistant cannot be reached. Please ask again later.',
  timed_out: 'The assistant took too long to answer. Please ask again, or ask for less.',
  refused: 'The assistant declined to answer this question.',
  misconfigured: 'The assistant is not set up correctly. Please tell an administrator.',
  malformed: 'The assistant gave no answer that could be read. Please ask again.',
  unknown: 'Something went wrong while the assistant was answering. Please ask again.',
} as const;

export type Reason = keyof typeof reasons;
