import { type Key, keys, SOCKET_SHARDS } from '#shared/table/keys.ts';
import type { Item, Table } from '#shared/table/table.ts';
import { placesOf, type Socket } from './socket.ts';

/** The sockets of an account, or of one of its users, in no particular order. */
export function listSockets(table: Table, account_id: string, user_id?: string): Promise<Socket[]> {
  const { PK, SK } = keys.socket(account_id, user_id ?? '', '');
  return table.all<Socket>(PK, user_id === undefined ? keys.socket('', '', '').SK.slice(0, -1) : SK);
}

/** All sockets of the service, page by page. */
export async function* everySocket(table: Table): AsyncGenerator<Socket[]> {
  for (let shard = 0; shard < SOCKET_SHARDS; shard++) {
    const { PK, SK } = keys.socketShard(shard);
    yield* table.pages<Socket>(PK, SK);
  }
}

/** By user, the accounts of those who have sockets, or had some lately. */
export async function accountsOf(table: Table, user_ids: string[]): Promise<Map<string, string>> {
  const found = await table.getMany<Item & { user_id: string; account_id: string }>(
    user_ids.map(keys.socketUser),
  );
  return new Map(found.map(({ user_id, account_id }) => [user_id, account_id]));
}

export async function forgetSockets(table: Table, sockets: Socket[]): Promise<void> {
  const gone: Key[] = sockets.flatMap(placesOf);
  await table.writeMany(gone.map((key) => ({ delete: key })));
}

/** Forgets the socket of a connection, if there is one. */
export async function forgetConnection(table: Table, connection_id: string): Promise<void> {
  const socket = await table.get<Socket>(keys.socketPlace(connection_id));
  if (socket) await forgetSockets(table, [socket]);
}
