import type { Account } from '#shared/domain/identity/accounts/account.ts';
import { isOutdated } from '#shared/domain/identity/credentials/authenticate.ts';
import type { Credential } from '#shared/domain/identity/credentials/credential.ts';
import type { Session } from '#shared/domain/identity/sessions/session.ts';
import { isOpen } from '#shared/domain/identity/sessions/store.ts';
import type { Holder } from '#shared/domain/identity/socket-tickets/socket-ticket.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { type Key, keys, nameOfKey } from '#shared/table/keys.ts';
import type { Item, Table } from '#shared/table/table.ts';

/** Whether requests with what a socket was opened with would still be served. */

const credentialKey = ({ user_id, credential: { kind, id, hash = '' } }: Holder): Key =>
  kind === 'session' ? keys.session(user_id, id) : keys.credential(hash);

const keysOf = (holder: Holder): Key[] => [
  keys.account(holder.account_id),
  keys.user(holder.account_id, holder.user_id),
  credentialKey(holder),
];

const isValid = (key: Credential | undefined, now: Date) =>
  key !== undefined && (key.expires_at_ms === undefined || key.expires_at_ms > now.getTime());

function mayListen(holder: Holder, found: Map<string, Item>, now: Date): boolean {
  const [account, user, credential] = keysOf(holder).map((key) => found.get(nameOfKey(key)));
  const { status, api_access } = (account ?? {}) as Partial<Account>;
  if (status !== 'active' || (user as User | undefined)?.status !== 'active') return false;
  if (isOutdated(holder.credential, user as User)) return false;
  if (holder.credential.kind === 'session') return isOpen(credential as Session | undefined, now);
  return api_access !== 'disabled' && isValid(credential as Credential | undefined, now);
}

/** Those of the sockets that may stay open. Reads each account, user and credential once. */
export async function allowed<One extends Holder>(table: Table, sockets: One[], now: Date): Promise<One[]> {
  const items = await table.getMany(sockets.flatMap(keysOf));
  const found = new Map(items.map((item) => [nameOfKey(item), item]));
  return sockets.filter((socket) => mayListen(socket, found, now));
}
