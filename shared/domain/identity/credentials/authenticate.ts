import type { Account } from '#shared/domain/identity/accounts/account.ts';
import type { Caller } from '#shared/domain/identity/caller.ts';
import type { Session } from '#shared/domain/identity/sessions/session.ts';
import { isOpen } from '#shared/domain/identity/sessions/store.ts';
import { withGroupAccess } from '#shared/domain/identity/users/access.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { countRequest } from '#shared/domain/platform/rates/count.ts';
import {
  type CounterName,
  counted,
  counterName,
  KEY_LIMIT,
  measureRate,
  type Rate,
  slotOf,
  staleCounters,
  USER_LIMIT,
} from '#shared/domain/platform/rates/rate.ts';
import { type Key, keys } from '#shared/table/keys.ts';
import {
  above,
  ConditionFailed,
  either,
  type Item,
  missing,
  mustExist,
  present,
  type Table,
} from '#shared/table/table.ts';
import { tryUpdate } from '#shared/table/try-update.ts';
import type { Credential } from './credential.ts';

export interface Authenticated {
  caller: Caller;
  rates: CallerRate[];
}

export type CallerRate = Rate & { subject: 'credential' | 'user' };

function countOnCredential(table: Table, hash: string, now: Date): Promise<Credential | undefined> {
  return tryUpdate<Credential>(table, keys.credential(hash), {
    set: { used_at: now.toISOString() },
    add: counted(now),
    when: { PK: present, expires_at_ms: either(missing, above(now.getTime())) },
  });
}

/** Stale counters that a credential may keep, so that few requests cost a write more. */
const MAX_STALE = 20;

/**
 * Counters to remove from the credential, and from its user, once there are many: the first request of a slot sees to
 * it. So an item stays under a kilobyte, the unit of a write, and most requests remove nothing.
 */
function dueCounters(credential: Credential, now: Date): CounterName[] {
  if (credential[counterName(slotOf(now))] !== 1) return [];
  const stale = staleCounters(credential, now);
  return stale.length > MAX_STALE ? stale : [];
}

async function removeCounters(table: Table, { PK, SK }: Key, remove: CounterName[]): Promise<void> {
  if (remove.length === 0) return;
  await table.update<Credential>({ PK, SK }, { remove, when: mustExist }, 'NONE').catch(ignoreRevoked);
}

/** The credential was revoked between two calls: nothing is left to clean. */
function ignoreRevoked(error: unknown): void {
  if (!(error instanceof ConditionFailed)) throw error;
}

/** Made before the user was deactivated: it does not return with the user. */
export const isOutdated = ({ id }: { id: string }, { credentials_from = '' }: User) => id < credentials_from;

/**
 * The caller of a credential and both of its rates, in two round trips: the first counts on the credential and reads
 * it; the second counts on the user and reads user, account, the access of its groups and, for an access token, the
 * session. Undefined when the credential is unknown, revoked or expired, or its session, user or account is not active.
 */
export async function authenticate(
  table: Table,
  hash: string,
  now: Date,
): Promise<Authenticated | undefined> {
  const credential = await countOnCredential(table, hash, now);
  if (!credential) return undefined;
  const userKey = keys.user(credential.account_id, credential.user_id);
  const accountKey = keys.account(credential.account_id);
  const accessKey = keys.groupAccess(credential.account_id);
  const sessionKeys = credential.kind === 'session' ? [keys.session(credential.user_id, credential.id)] : [];
  const stale = dueCounters(credential, now);
  const [userRate, records] = await Promise.all([
    countRequest(table, (hour) => keys.userRate(credential.user_id, hour), now, stale),
    table.getMany<Item>([userKey, accountKey, accessKey, ...sessionKeys]),
    removeCounters(table, credential, stale),
  ]);
  const user = records.find((item) => item.SK === userKey.SK) as User | undefined;
  const account = records.find((item) => item.SK === accountKey.SK) as Account | undefined;
  const access = records.find((item) => item.SK === accessKey.SK);
  const session = records.find((item) => item.SK === sessionKeys[0]?.SK) as Session | undefined;
  if (sessionKeys.length > 0 && !isOpen(session, now)) return undefined;
  if (user?.status !== 'active' || account?.status !== 'active') return undefined;
  if (isOutdated(credential, user)) return undefined;
  return {
    caller: {
      account,
      user: withGroupAccess(user, access),
      credential: { kind: credential.kind, tier: credential.tier, id: credential.id },
    },
    rates: [
      { subject: 'credential', ...measureRate(credential, KEY_LIMIT, now) },
      { subject: 'user', ...measureRate(userRate, USER_LIMIT, now) },
    ],
  };
}
