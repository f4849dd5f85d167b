import { afterAll, beforeAll } from 'vitest';
import { type OperationResponse, responses } from '../../infra/local/responses.ts';
import { holdToDeclared } from './declared.ts';

/**
 * Every response that passes through a local gateway is held to what its operation declares. What a subscriber throws
 * is an uncaught exception (https://nodejs.org/api/diagnostics_channel.html): it fails the run, whatever the test
 * expected, and no further try of the test takes it back.
 */
const watch = (response: unknown) => holdToDeclared(response as OperationResponse);

beforeAll(() => responses.subscribe(watch));
afterAll(() => {
  responses.unsubscribe(watch);
});
