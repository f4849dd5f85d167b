import type { Context, Visitor } from '#shared/context.ts';
import { type ByProvider, identify } from '#shared/domain/identity/openid/identify.ts';
import { findLink, type Link, linkTo } from '#shared/domain/identity/openid/link.ts';
import type { AsksProviders, Identity } from '#shared/domain/identity/openid/provider.ts';
import type { OpenedSession } from '#shared/domain/identity/sessions/open.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import type { Table, Write } from '#shared/table/table.ts';
import { admit, findPerson, isOfNamed, type Person, refused, unknown } from './admit.ts';
import { findByAddress } from './by-address.ts';

/** Who it is, and the writes that remember it the first time, when the address tells. */
interface Known {
  person: Person;
  writes: Write[];
}

async function byAddress(
  table: Table,
  identity: Identity,
  before: Link | undefined,
  account_id: string | undefined,
): Promise<Known | undefined> {
  if (identity.email_address === undefined) return undefined;
  const entry = await findByAddress(table, identity.email_address, account_id);
  if (!entry) return undefined;
  const { person, address } = entry;
  return { person, writes: [linkTo(identity, person.user, before, refused), ...address] };
}

/** An identity that was of a closed account is as new. */
async function findKnown(
  table: Table,
  identity: Identity,
  account_id: string | undefined,
): Promise<Known | undefined> {
  const link = await findLink(table, identity);
  const person = link && (await findPerson(table, link));
  if (!person) return byAddress(table, identity, link, account_id);
  return isOfNamed(person, account_id) ? { person, writes: [] } : undefined;
}

export interface Asked {
  /** The account to sign in to. */
  account_id: string | undefined;
  /** The secret of the browser whose page asks. */
  browser: string | undefined;
}

/** Opens a session for whoever a provider names. 401 for a code that does not hold, and 403 and 401 as by a code. */
export async function signInByProvider(
  ctx: Context<AsksProviders> & Visitor,
  sent: ByProvider,
  { account_id, browser }: Asked,
): Promise<OpenedSession> {
  const { identity, use } = await identify(ctx, sent, browser);
  return retryOnConflict(async () => {
    const known = await findKnown(ctx.table, identity, account_id);
    if (!known) throw unknown(ctx, account_id);
    return admit(ctx, known.person, [use, ...known.writes]);
  });
}
