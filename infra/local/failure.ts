import { inspect } from 'node:util';

/** What of an error is a mistake in the code: without its place nobody finds it. */
const MISTAKES = [SyntaxError, TypeError, ReferenceError, RangeError];

/** Why `npm start` ends: what can be done about it in one line, or the whole error of a mistake in the code. */
export const describeFailure = (error: unknown): string =>
  error instanceof Error && !MISTAKES.some((kind) => error instanceof kind) ? error.message : inspect(error);
