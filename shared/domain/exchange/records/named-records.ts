import { addressHolders } from '#shared/domain/crm/contacts/addresses.ts';
import { nameHolders } from '#shared/domain/crm/organizations/names.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { listUsers } from '#shared/domain/identity/users/store.ts';
import { invalidField } from '#shared/errors.ts';
import { foldName } from '#shared/folding.ts';
import type { SentRow } from './row.ts';

/** Records that rows of deals and tasks name: people by their addresses, all others by their names. */

const ids: Record<string, string> = {
  pipeline: 'pipeline_id',
  stage: 'stage_id',
  assigned_user: 'assigned_user_id',
  organization: 'organization_id',
  organizations: 'organization_ids',
};

/** Without names of what the row has ids of: several things may have one name. */
export const withoutDoubledNames = (draft: SentRow['draft']): SentRow['draft'] =>
  Object.fromEntries(Object.entries(draft).filter(([field]) => !(`${ids[field]}` in draft)));

/** Records of one type that a row names; none links to more. */
const MAX_NAMED = 100;

function requireFew(field: string, names: string[]): void {
  if (names.length > MAX_NAMED) throw invalidField(field, 'too_long', `must name at most ${MAX_NAMED}`);
}

/** By email address or name. 400 when no active user, or more than one, is called that. */
export async function userNamed({ table, caller }: CallerContext, text: string): Promise<string> {
  const users = (await listUsers(table, caller.account.id)).filter(({ status }) => status === 'active');
  const folded = foldName(text);
  const byAddress = users.filter(({ email_address }) => foldName(email_address) === folded);
  const found = byAddress.length > 0 ? byAddress : users.filter(({ name }) => foldName(name) === folded);
  const [user] = found;
  if (found.length !== 1 || !user)
    throw invalidField('assigned_user', 'invalid', 'is the email address or name of no active user');
  return user.id;
}

/** The oldest visible organization of each name. 400 for a name that none has, and for too many. */
export async function organizationsNamed(
  ctx: CallerContext,
  field: string,
  names: string[],
): Promise<string[]> {
  requireFew(field, names);
  const found = await nameHolders.find(ctx, [...new Set(names.map(foldName))]);
  return names.map((name, i) => {
    const id = found.get(foldName(name))?.id;
    const at = names.length > 1 ? `${field}.${i}` : field;
    if (id === undefined) throw invalidField(at, 'invalid', 'is the name of no organization');
    return id;
  });
}

/** The visible contact of each address. 400 for an address that none has, and for too many. */
export async function contactsAt(ctx: CallerContext, addresses: string[]): Promise<string[]> {
  requireFew('contacts', addresses);
  const lower = addresses.map((address) => address.toLowerCase());
  const found = await addressHolders.find(ctx, [...new Set(lower)]);
  return lower.map((address, i) => {
    const id = found.get(address)?.id;
    if (id === undefined)
      throw invalidField(`contacts.${i}`, 'invalid', 'is the email address of no contact');
    return id;
  });
}
