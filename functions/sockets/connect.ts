import { contextOf } from '#shared/context.ts';
import { openSocket } from '#shared/domain/identity/sockets/open.ts';
import type { SocketCall } from '#shared/domain/identity/sockets/socket-call.ts';
import { getServices } from '#shared/services.ts';

/** `$connect`: lets a socket in by its ticket. */
export async function handler({ requestContext, queryStringParameters }: SocketCall) {
  const ticket = queryStringParameters?.ticket ?? '';
  const { connectionId: connection_id } = requestContext;
  return { statusCode: await openSocket(contextOf(getServices(), {}), { ticket, connection_id }) };
}
