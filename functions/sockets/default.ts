import { messageText } from '#shared/domain/identity/sockets/message.ts';
import { isPing, type SocketCall } from '#shared/domain/identity/sockets/socket-call.ts';

/** `$default`: answers a ping. Whatever else clients send changes nothing, and gets no answer. */
export async function handler({ body }: SocketCall) {
  return {
    statusCode: 200,
    ...(isPing(body) ? { body: messageText({ type: 'ping', data: {} }, new Date()) } : {}),
  };
}
