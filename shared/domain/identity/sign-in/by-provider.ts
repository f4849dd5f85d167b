import type { Context, Visitor } from '#shared/context.ts';
import { type ByProvider, identify } from '#shared/domain/identity/openid/identify.ts';
import { findLink, type Link, linkTo } from '#shared/domain/identity/openid/link.ts';
import type { AsksProviders, Identity } from '#shared/domain/identity/openid/provider.ts';
import type { OpenedSession } from '#shared/domain/identity/sessions/open.ts';
import { findLogin } from '#shared/domain/identity/users/addresses.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import type { Table, Write } from '#shared/table/table.ts';
import { admit, findPerson, type Person, refused, unknown } from './admit.ts';

/** Who it is, and the write that remembers it the first time, when the address tells. */
interface Known {
  person: Person;
  link: Write[];
}

async function byAddress(
  table: Table,
  identity: Identity,
  before: Link | undefined,
): Promise<Known | undefined> {
  const login = identity.email_address && (await findLogin(table, identity.email_address));
  const person = login ? await findPerson(table, login) : undefined;
  return person && { person, link: [linkTo(identity, person.user, before, refused)] };
}

/** An identity that was of a closed account is as new. */
async function findKnown(table: Table, identity: Identity): Promise<Known | undefined> {
  const link = await findLink(table, identity);
  const person = link && (await findPerson(table, link));
  return person ? { person, link: [] } : byAddress(table, identity, link);
}

/** Opens a session for whoever a provider names. 401 for a code that does not hold, and 403 and 401 as by a code. */
export async function signInByProvider(
  ctx: Context<AsksProviders> & Visitor,
  sent: ByProvider,
  browser: string | undefined,
): Promise<OpenedSession> {
  const { identity, use } = await identify(ctx, sent, browser);
  return retryOnConflict(async () => {
    const known = await findKnown(ctx.table, identity);
    if (!known) throw unknown(ctx);
    return admit(ctx, known.person, [use, ...known.link]);
  });
}
