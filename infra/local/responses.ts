import { channel } from 'node:diagnostics_channel';
import { type ApiEvent, callOf, endsWithSlash } from '#shared/api/call.ts';
import type { Route } from '#shared/api/route.ts';

/** The response of an operation. */
export interface OperationResponse {
  definition: Route;
  status: number;
  error_code: string | undefined;
}

/** Publishes every response of an operation behind the local gateway: tests subscribe to it. */
export const responses = channel('workspace-api:response');

export function publishResponse(definition: Route, event: ApiEvent, status: number): void {
  // That path belongs to no operation, although the gateway routes it to one.
  if (endsWithSlash(event)) return;
  const { error_code } = callOf(event);
  responses.publish({ definition, status, error_code } satisfies OperationResponse);
}
