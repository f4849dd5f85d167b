import type { Context } from '#shared/context.ts';
import { hashSecret } from '#shared/domain/identity/credentials/secret.ts';
import type { AllOf } from '#shared/table/conditions.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import {
  above,
  type Item,
  missing,
  mustNotExist,
  present,
  type Refusal,
  type Table,
  type Update,
  update,
  type Write,
  when,
} from '#shared/table/table.ts';
import { tryUpdate } from '#shared/table/try-update.ts';
import type { Proofs } from './provider.ts';

/**
 * What somebody began at a provider, under the digest of its state: the first code that comes with the state claims it, and
 * what that led to is remembered until it is used, so a request that fails does not send people to the provider again.
 */
export type StoredAuthorization = Item &
  Proofs & {
    redirect_url: string;
    expires_at_ms: number;
    expires_epoch: number;
    /** The digest of the code that came back. */
    code_hash?: string;
  };

/** Milliseconds that somebody has at the provider. */
const LIFETIME = 10 * 60_000;

type Begun<A extends StoredAuthorization> = Omit<A, 'PK' | 'SK' | 'expires_at_ms' | 'expires_epoch'>;

/** Returns when it expires. */
export async function storeAuthorization<A extends StoredAuthorization>(
  { table, now }: Context,
  state: string,
  begun: Begun<A>,
): Promise<string> {
  const expires_at_ms = now.getTime() + LIFETIME;
  const expires_epoch = Math.ceil(expires_at_ms / 1_000);
  await table.put({ ...keys.authorization(state), ...begun, expires_at_ms, expires_epoch }, mustNotExist);
  return new Date(expires_at_ms).toISOString();
}

export interface Brought {
  authorization_code: string;
  state: string;
}

/**
 * The authorization that the state names and that `fits`, claimed for this code, or claimed by it before and answered: it
 * has `answer`. Undefined for any other.
 */
export function claimAuthorization<A extends StoredAuthorization>(
  { table, now }: Pick<Context, 'table' | 'now'>,
  { authorization_code, state }: Brought,
  fits: AllOf<A>,
  answer: keyof A & string,
): Promise<A | undefined> {
  const code_hash = hashSecret(authorization_code);
  const waits = { ...fits, expires_at_ms: above(now.getTime()) };
  const claim = {
    set: { code_hash },
    when: [
      { ...waits, code_hash: missing },
      { ...waits, code_hash, [answer]: present },
    ],
  };
  return tryUpdate<A>(table, keys.authorization(state), claim as unknown as Update<A>);
}

/** Remembers what the code led to. */
export async function rememberAnswer<A extends StoredAuthorization>(
  table: Table,
  claimed: A,
  answer: Partial<A>,
  otherwise: Refusal,
): Promise<void> {
  const { code_hash = '' } = claimed;
  const change = { set: answer, when: { code_hash } } as unknown as Update<A>;
  await table.transact([{ ...update<A>(keyOf(claimed), change), otherwise }]);
}

/** Ends the authorization, in the transaction of what it permits: exactly one does. */
export const useOf = (claimed: StoredAuthorization, otherwise: Refusal): Write => ({
  delete: keyOf(claimed),
  when: when<StoredAuthorization>({ code_hash: claimed.code_hash ?? '' }),
  otherwise,
});

/** The code may come again: the provider did not say whether it holds. */
export async function releaseAuthorization(table: Table, claimed: StoredAuthorization): Promise<void> {
  await tryUpdate<StoredAuthorization>(table, keyOf(claimed), {
    remove: ['code_hash'],
    when: { code_hash: claimed.code_hash ?? '' },
  });
}
