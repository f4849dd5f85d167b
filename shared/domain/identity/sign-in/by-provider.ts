import type { Context, Visitor } from '#shared/context.ts';
import { type ByProvider, identify } from '#shared/domain/identity/openid/identify.ts';
import { findLink, type Link, linkTo } from '#shared/domain/identity/openid/link.ts';
import type { AsksProviders, Identity } from '#shared/domain/identity/openid/provider.ts';
import type { OpenedSession } from '#shared/domain/identity/sessions/open.ts';
import { findLogin } from '#shared/domain/identity/users/addresses.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import type { Table, Write } from '#shared/table/table.ts';
import { admit, findPerson, unknown } from './admit.ts';

/** Who it is, and the write that remembers it the first time, when the address tells. */
interface Known {
  user: User;
  link: Write[];
}

async function byAddress(
  table: Table,
  identity: Identity,
  before: Link | undefined,
): Promise<Known | undefined> {
  const login = identity.email_address && (await findLogin(table, identity.email_address));
  const user = login ? await findPerson(table, login) : undefined;
  return user && { user, link: [linkTo(identity, user, before)] };
}

/** An identity that was of a closed account is as new. */
async function findUser(table: Table, identity: Identity): Promise<Known | undefined> {
  const link = await findLink(table, identity);
  const user = link && (await findPerson(table, link));
  return user ? { user, link: [] } : byAddress(table, identity, link);
}

/** Opens a session for whoever a provider names. 401 for a code that does not hold, and 403 and 401 as by a code. */
export async function signInByProvider(
  ctx: Context<AsksProviders> & Visitor,
  sent: ByProvider,
  browser: string | undefined,
): Promise<OpenedSession> {
  const { identity, use } = await identify(ctx, sent, browser);
  const found = await findUser(ctx.table, identity);
  if (!found) throw unknown(ctx);
  return admit(ctx, found.user, [use, ...found.link]);
}
