import { mapAtOnce } from '#shared/at-once.ts';
import type { Context } from '#shared/context.ts';
import type { Outcome, ReachesSockets } from './port.ts';
import { isOpening, type Socket } from './socket.ts';
import { forgetSockets } from './store.ts';

/** Sockets at a time: API Gateway takes thousands of calls a second for all APIs of an account and region. */
const AT_ONCE = 50;

export interface Delivered {
  sent: number;
  failed: number;
  /** Sockets that are forgotten: nobody had reported their end. */
  gone: number;
}

type Ctx = Context<ReachesSockets>;

/** In their order, until one does not arrive. */
async function sendTo({ ports, config }: Ctx, socket: Socket, texts: readonly string[]): Promise<Outcome[]> {
  const server = ports.sockets(config);
  const outcomes: Outcome[] = [];
  for (const text of texts) {
    const outcome = await server.send(socket.connection_id, text);
    outcomes.push(outcome);
    if (outcome !== 'sent') break;
  }
  return outcomes;
}

/** Sends texts to sockets. What does not arrive is not sent again: who connects reads anew. */
export async function sendAll(
  ctx: Ctx,
  letters: readonly { socket: Socket; texts: readonly string[] }[],
): Promise<Delivered> {
  const outcomes = await mapAtOnce(letters, AT_ONCE, ({ socket, texts }) => sendTo(ctx, socket, texts));
  const gone = letters
    .filter((_, i) => outcomes[i]?.at(-1) === 'gone')
    .map(({ socket }) => socket)
    .filter((socket) => !isOpening(socket, ctx.clock()));
  await forgetSockets(ctx.table, gone);
  const count = (wanted: Outcome) => outcomes.flat().filter((outcome) => outcome === wanted).length;
  return { sent: count('sent'), failed: count('failed'), gone: gone.length };
}

/**
 * Closes sockets, and forgets them. One that API Gateway does not know yet, or that did not close, stays in the list: the
 * next sweep closes it.
 */
export async function closeAll(ctx: Ctx, sockets: readonly Socket[]): Promise<number> {
  const server = ctx.ports.sockets(ctx.config);
  const outcomes = await mapAtOnce(sockets, AT_ONCE, ({ connection_id }) => server.close(connection_id));
  const closed = sockets.filter(
    (socket, i) => outcomes[i] === 'sent' || (outcomes[i] === 'gone' && !isOpening(socket, ctx.clock())),
  );
  await forgetSockets(ctx.table, closed);
  return closed.length;
}
