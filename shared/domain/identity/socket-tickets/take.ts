import { hashSecret } from '#shared/domain/identity/credentials/secret.ts';
import { keys } from '#shared/table/keys.ts';
import { mustExist, type Table } from '#shared/table/table.ts';
import { tryDelete } from '#shared/table/try-delete.ts';
import type { SocketTicket } from './socket-ticket.ts';

/** Uses a ticket up, whoever comes first. Undefined for one that is unknown, used or late. */
export async function takeTicket(table: Table, text: string, now: Date): Promise<SocketTicket | undefined> {
  const key = keys.socketTicket(hashSecret(text));
  const ticket = await table.get<SocketTicket>(key);
  if (!ticket || !(await tryDelete(table, key, mustExist))) return undefined;
  return new Date(ticket.expires_at) > now ? ticket : undefined;
}
