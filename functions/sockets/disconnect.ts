import type { SocketCall } from '#shared/domain/identity/sockets/socket-call.ts';
import { forgetConnection } from '#shared/domain/identity/sockets/store.ts';
import { getServices } from '#shared/services.ts';

/** `$disconnect`: forgets a socket. API Gateway does its best to call it, and may not. */
export async function handler({ requestContext }: SocketCall) {
  await forgetConnection(getServices().table, requestContext.connectionId);
  return { statusCode: 200 };
}
