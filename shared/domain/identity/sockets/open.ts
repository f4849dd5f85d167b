import type { Context } from '#shared/context.ts';
import { takeTicket } from '#shared/domain/identity/socket-tickets/take.ts';
import type { Table } from '#shared/table/table.ts';
import { allowed } from './allowed.ts';
import { opening, type Socket } from './socket.ts';
import { forgetSockets, listSockets } from './store.ts';

/** Of one user. */
const MAX_SOCKETS = 50;

/** Of any that open at once, no more are let in: each counts after it is stored, and so finds all that are. */
async function hasRoom(table: Table, { account_id, user_id }: Socket): Promise<boolean> {
  return (await listSockets(table, account_id, user_id)).length <= MAX_SOCKETS;
}

/**
 * Lets a connection in, for a ticket that is used up by it: returns the status of the handshake. The socket is stored before
 * its credential is looked at. So whatever ends the credential either comes before, and is seen here, or finds the socket.
 */
export async function openSocket(
  { table, now }: Context,
  { ticket: text, connection_id }: { ticket: string; connection_id: string },
): Promise<200 | 401 | 429> {
  const ticket = await takeTicket(table, text, now);
  if (!ticket) return 401;
  const { socket, writes } = opening(ticket, connection_id, now);
  await table.writeMany(writes);
  const [[still], room] = await Promise.all([allowed(table, [socket], now), hasRoom(table, socket)]);
  if (still && room) return 200;
  await forgetSockets(table, [socket]);
  return still ? 429 : 401;
}
