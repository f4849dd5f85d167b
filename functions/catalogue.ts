import { type Operation, operationsOf } from '../shared/api/catalogue.ts';
import * as users from './users/index.ts';

/** Every family of operations: the only list. */
export const families = { users };

export const operations: Operation[] = operationsOf(families);
