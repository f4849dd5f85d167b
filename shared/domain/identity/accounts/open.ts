import { audit } from '#shared/domain/identity/audit/audit.ts';
import type { PersonDraft } from '#shared/domain/identity/users/add.ts';
import { takeFreeAddress } from '#shared/domain/identity/users/addresses.ts';
import { newUser, partsOfName } from '#shared/domain/identity/users/create.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { ApiError } from '#shared/errors.ts';
import { newId } from '#shared/ids.ts';
import { mustNotExist, type Table, type Write } from '#shared/table/table.ts';
import type { Account } from './account.ts';
import { newAccount } from './create.ts';

export interface Opening {
  account: Account;
  owner: User;
}

export interface OpeningDraft {
  name: string;
  owner: PersonDraft;
}

/** An account and its owner, not stored yet. */
export function newOpening({ name, owner: person }: OpeningDraft, now: Date): Opening {
  const account_id = newId(now);
  const draft = {
    ...person,
    ...partsOfName(person.name),
    id: newId(now),
    account_id,
    role: 'owner' as const,
  };
  const owner = newUser(draft, now);
  const { id: owner_user_id, time_zone } = owner;
  return { account: newAccount({ id: account_id, name, owner_user_id, time_zone }, now), owner };
}

/** The writes that store both, in one transaction: no account is without an owner. `address` reserves that of the owner. */
export function openingWrites({ account, owner }: Opening, address: Write): Write[] {
  return [
    { put: account, when: mustNotExist, otherwise: () => new ApiError('account_creation_failed') },
    { put: owner, when: mustNotExist, otherwise: () => new ApiError('user_creation_failed') },
    address,
  ];
}

/** By the operator. 409 when another user of the service has the address. */
export async function openAccount(table: Table, draft: OpeningDraft, now: Date): Promise<Opening> {
  const opening = newOpening(draft, now);
  const { id, name } = opening.account;
  const opened = { action: 'account_created' as const, subject: { type: 'account' as const, id, name } };
  const address = await takeFreeAddress(table, opening.owner);
  await table.transact([...openingWrites(opening, address), audit({ now }, id, opened)]);
  return opening;
}
