import { invalidField } from '#shared/errors.ts';
import type { Whose } from './scope.ts';

/** 400 for a timeline of two records. */
export function requireOne(whose: Whose): void {
  const [first, second] = Object.entries(whose).flatMap(([name, id]) => (id === undefined ? [] : name));
  if (first !== undefined && second !== undefined)
    throw invalidField(second, 'not_allowed', `cannot be sent with ${first}`);
}
