import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import {
  either,
  exactly,
  type Item,
  missing,
  type Refusal,
  type Table,
  type Write,
  when,
} from '#shared/table/table.ts';
import type { Identity } from './provider.ts';

/** Who somebody at a provider is here. */
export type Link = Item & { user_id: string; account_id: string };

const linkKey = ({ issuer, subject }: Identity) => keys.identity(issuer, subject);

export async function findLink(table: Table, identity: Identity): Promise<Link | undefined> {
  return table.get<Link>(linkKey(identity));
}

/** From now on the identity is this user, and no more whom `before` names; `refusal` when it is somebody else meanwhile. */
export function linkTo(
  identity: Identity,
  { id: user_id, account_id }: Pick<User, 'id' | 'account_id'>,
  before: Link | undefined,
  refusal: Refusal,
): Write {
  const put: Link = { ...linkKey(identity), user_id, account_id };
  // Of a closed account it may be erased at any moment.
  const free = before ? either<string>(missing, exactly(before.user_id)) : missing;
  return {
    put,
    when: when<Link>({ user_id: either(free, exactly(user_id)) }),
    otherwise: refusal,
  };
}
