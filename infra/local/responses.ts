import { channel } from 'node:diagnostics_channel';
import { type ApiEvent, callOf, endsWithSlash } from '#shared/api/call.ts';
import type { Route } from '#shared/api/route.ts';

/** What an operation answered. */
export interface OperationResponse {
  definition: Route;
  status: number;
  error_code: string | undefined;
}

/** Every response that an operation gives behind the local gateway: tests subscribe to it. */
export const responses = channel('workspace-api:response');

export function publishResponse(definition: Route, event: ApiEvent, status: number): void {
  // That path is of no operation, though the gateway leads it to one.
  if (endsWithSlash(event)) return;
  const { error_code } = callOf(event);
  responses.publish({ definition, status, error_code } satisfies OperationResponse);
}
