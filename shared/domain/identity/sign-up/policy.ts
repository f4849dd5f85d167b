import type { Context } from '#shared/context.ts';
import { acceptedOf } from '#shared/domain/identity/terms/accepted.ts';
import { findInvitation } from '#shared/domain/identity/waitlist/accept.ts';
import type { SignupInvitation } from '#shared/domain/identity/waitlist/invite.ts';
import { ApiError } from '#shared/errors.ts';
import { isPublicMailHost } from '#shared/public-mail-hosts.ts';
import type { TermsDocument } from '#shared/terms.ts';
import type { AccountDraft } from './draft.ts';

/** Who may sign up, as the operator has decided (docs/specification/sign-in.md, "Signing up"). */

/** 403 for everybody where signing up is closed, and for whoever brings no token where it needs one. */
export function requireInvited(
  { config }: Context,
  { signup_token }: Pick<AccountDraft, 'signup_token'>,
): void {
  const { sign_up } = config;
  if (sign_up === 'closed' || (sign_up === 'invitation' && signup_token === undefined))
    throw new ApiError('invitation_required');
}

/** 403 for an address of a public mail service, where only work accounts sign up. */
export function requireWorkAccount({ config }: Context, address: string): void {
  const host = address.slice(address.lastIndexOf('@') + 1);
  if (config.work_accounts_only && isPublicMailHost(host)) throw new ApiError('work_account_required');
}

/** The documents that are accepted; none where none is required. 400 as for POST /terms_assents. */
export function requireAccepted(
  { config: { terms } }: Context,
  { documents = [], acceptance_method }: Pick<AccountDraft, 'documents' | 'acceptance_method'>,
): TermsDocument[] {
  if (documents.length === 0 && !terms.some(({ required }) => required)) return [];
  return acceptedOf(terms, { documents, method: acceptance_method }, {});
}

export const badToken = () => new ApiError('invalid_signup_token');

/** The invitation of the token; undefined without one. 400 for a token that is not of this address, also where none is needed. */
export async function requireToken(
  { table, now }: Context,
  { signup_token }: Pick<AccountDraft, 'signup_token'>,
  email_address: string,
): Promise<SignupInvitation | undefined> {
  if (signup_token === undefined) return undefined;
  const found = await findInvitation(table, { signup_token, email_address }, now);
  if (!found) throw badToken();
  return found;
}
