import {
  ApiGatewayManagementApiClient,
  DeleteConnectionCommand,
  GoneException,
  PostToConnectionCommand,
} from '@aws-sdk/client-apigatewaymanagementapi';
import type { Config } from '#shared/config.ts';
import type { Outcome, SocketServer } from '#shared/domain/identity/sockets/port.ts';
import { describeError, getLogger } from '#shared/log.ts';
import { clientOptions } from '#shared/services.ts';

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-how-to-call-websocket-api-connections.html */

type Addresses = Pick<Config, 'socket_url' | 'sockets_endpoint'>;

/** In the cloud the management API is at the address of the sockets. */
const inCloud = ({ socket_url, sockets_endpoint }: Addresses) =>
  !sockets_endpoint && socket_url?.startsWith('wss:')
    ? { endpoint: socket_url.replace(/^wss:/, 'https:') }
    : {};

const clientOf = (addresses: Addresses) =>
  new ApiGatewayManagementApiClient({
    ...clientOptions(addresses.sockets_endpoint),
    ...inCloud(addresses),
  });

/** `gone` for a connection that is closed, and for a name that is none. */
async function outcomeOf(call: Promise<unknown>): Promise<Outcome> {
  try {
    await call;
    return 'sent';
  } catch (error) {
    if (error instanceof GoneException) return 'gone';
    getLogger().warn('socket not reached', { error: describeError(error) });
    return 'failed';
  }
}

function serverAt(addresses: Addresses): SocketServer {
  const client = clientOf(addresses);
  return {
    send: (ConnectionId, text) =>
      outcomeOf(client.send(new PostToConnectionCommand({ ConnectionId, Data: Buffer.from(text) }))),
    close: (ConnectionId) => outcomeOf(client.send(new DeleteConnectionCommand({ ConnectionId }))),
  };
}

const servers = new Map<string, SocketServer>();

/** One client for each address. */
export function serverOf({ socket_url, sockets_endpoint }: Addresses): SocketServer {
  const name = `${socket_url} ${sockets_endpoint}`;
  const server = servers.get(name) ?? serverAt({ socket_url, sockets_endpoint });
  servers.set(name, server);
  return server;
}
