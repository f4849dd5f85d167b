import { afterAll, beforeAll } from 'vitest';
import { type OperationResponse, responses } from '../../infra/local/responses.ts';
import { holdToDeclared } from './declared.ts';

/**
 * Checks every response of a local gateway against what its operation declares. An error of a subscriber is an
 * uncaught exception (https://nodejs.org/api/diagnostics_channel.html): it fails the run, whatever the test
 * expected, and no retry of the test reverts it.
 */
const watch = (response: unknown) => holdToDeclared(response as OperationResponse);

beforeAll(() => responses.subscribe(watch));
afterAll(() => {
  responses.unsubscribe(watch);
});
