import type { Context } from '#shared/context.ts';
import { allowed } from './allowed.ts';
import { messageText } from './message.ts';
import type { ReachesSockets } from './port.ts';
import { closeAll, sendAll } from './send.ts';
import { everySocket } from './store.ts';

/**
 * Pings every socket, because API Gateway closes those that are idle for ten minutes, and forgets those that are gone.
 * Closes those whose credential has ended: by time, or where the news of it was lost.
 */
export async function sweepSockets(ctx: Context<ReachesSockets>) {
  const total = { pinged: 0, closed: 0, gone: 0 };
  const ping = messageText({ type: 'ping', data: {} }, ctx.now);
  for await (const sockets of everySocket(ctx.table)) {
    const staying = await allowed(ctx.table, sockets, ctx.clock());
    const kept = new Set(staying);
    total.closed += await closeAll(
      ctx,
      sockets.filter((socket) => !kept.has(socket)),
    );
    const { sent, gone } = await sendAll(
      ctx,
      staying.map((socket) => ({ socket, texts: [ping] })),
    );
    total.pinged += sent;
    total.gone += gone;
  }
  return total;
}
