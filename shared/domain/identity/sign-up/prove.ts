import type { Context } from '#shared/context.ts';
import { checkCode, useCode } from '#shared/domain/identity/codes/check.ts';
import { type ByProvider, identify } from '#shared/domain/identity/openid/identify.ts';
import { findLink, linkTo } from '#shared/domain/identity/openid/link.ts';
import type { AsksProviders, Identity } from '#shared/domain/identity/openid/provider.ts';
import { findPerson, refused } from '#shared/domain/identity/sign-in/admit.ts';
import type { ByCode } from '#shared/domain/identity/sign-in/by-code.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { ApiError } from '#shared/errors.ts';
import type { Write } from '#shared/table/table.ts';

/** Whose address it is, proven: whatever else a request says of it is a claim. */
export interface Proven {
  email_address: string;
  /** What the provider calls the person: any text. */
  name?: string | undefined;
  /** It uses the proof up: of two accounts with one proof, one is opened. */
  use: Write;
  /** They remember the owner's identity at a provider. */
  links(owner: User): Write[];
}

/** 401 for a wrong code. */
async function proveByCode(ctx: Context, { email_address, one_time_code }: ByCode): Promise<Proven> {
  const code = await checkCode(ctx, { email_address, code: one_time_code });
  if (!code) throw refused();
  return { email_address, use: useCode(code, refused), links: () => [] };
}

const unverified = (message: string) => new ApiError('invalid_email_address', { message });

/** The address that the provider has verified. 400 without one, and when the request names another. */
function verifiedOf({ email_address }: Identity, sent: string | undefined): string {
  if (email_address === undefined)
    throw unverified('The provider has verified no email address: sign up with a one-time code.');
  if (sent !== undefined && sent !== email_address)
    throw unverified(
      'The provider has verified another email address: leave email_address out, or send that one.',
    );
  return email_address;
}

const alreadyLinked = () => new ApiError('identity_already_linked');

/** 401 and 503 as for signing in; 409 for the identity of a user. That of a closed account is as new. */
async function proveByProvider(
  ctx: Context<AsksProviders>,
  way: ByProvider,
  sent: string | undefined,
  browser: string | undefined,
): Promise<Proven> {
  const { identity, use } = await identify(ctx, way, browser);
  const before = await findLink(ctx.table, identity);
  if (before && (await findPerson(ctx.table, before))) throw alreadyLinked();
  return {
    email_address: verifiedOf(identity, sent),
    name: identity.name,
    use,
    links: (owner) => [linkTo(identity, owner, before, alreadyLinked)],
  };
}

/** `sent` is the address of the request, `browser` the secret of the one whose page asks. */
export function prove(
  ctx: Context<AsksProviders>,
  way: ByCode | ByProvider,
  sent: string | undefined,
  browser: string | undefined,
): Promise<Proven> {
  return 'provider' in way ? proveByProvider(ctx, way, sent, browser) : proveByCode(ctx, way);
}
