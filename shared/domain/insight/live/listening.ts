import type { Socket } from '#shared/domain/identity/sockets/socket.ts';
import { accountsOf, listSockets } from '#shared/domain/identity/sockets/store.ts';
import { type Key, nameOfKey } from '#shared/table/keys.ts';
import type { Item, Table } from '#shared/table/table.ts';
import type { News } from './news.ts';

type Shared = Extract<News, { kind: 'shared' }>;

/** Who listens, among those whom news may concern. */
export class Listening {
  readonly sockets: readonly Socket[];
  readonly #byUser: ReadonlySet<string>;
  readonly #byItem: ReadonlyMap<string, string>;

  constructor(sockets: readonly Socket[], byItem: ReadonlyMap<string, string>) {
    this.sockets = sockets;
    this.#byItem = byItem;
    this.#byUser = new Set(sockets.map(({ user_id }) => user_id));
  }

  has(user_id: string): boolean {
    return this.#byUser.has(user_id);
  }

  /** The connected users of an account. */
  users(account: string | undefined): string[] {
    return [
      ...new Set(this.sockets.filter((each) => each.account_id === account).map((each) => each.user_id)),
    ];
  }

  /** Undefined when the item that says so is gone. */
  accountOf({ account }: Shared): string | undefined {
    return typeof account === 'string' ? account : this.#byItem.get(nameOfKey(account));
  }
}

/** By the name of an item, the account that it names. */
async function accountsIn(table: Table, wanted: Key[]): Promise<Map<string, string>> {
  const items = await table.getMany<Item & { account_id: string }>(wanted);
  return new Map(items.map((item) => [nameOfKey(item), item.account_id]));
}

/** In two round trips: to which accounts news belongs, and who of these is connected. */
export async function listening(table: Table, news: readonly News[]): Promise<Listening> {
  const users = news.flatMap((each) =>
    each.kind === 'own' || each.kind === 'notifications' ? each.user_id : [],
  );
  const named = news.flatMap((each) => (each.kind === 'shared' ? each.account : []));
  const [byUser, byItem] = await Promise.all([
    accountsOf(table, [...new Set(users)]),
    accountsIn(
      table,
      named.filter((each) => typeof each !== 'string'),
    ),
  ]);
  const accounts = new Set([
    ...byUser.values(),
    ...byItem.values(),
    ...named.filter((each) => typeof each === 'string'),
    ...news.flatMap((each) => (each.kind === 'ended' ? each.account_id : [])),
  ]);
  const sockets = await Promise.all([...accounts].map((account) => listSockets(table, account)));
  return new Listening(sockets.flat(), byItem);
}
