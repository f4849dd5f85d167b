import type { Config } from '#shared/config.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import type { TermsDocument } from '#shared/terms.ts';

/** What the user's item and the configuration say together: no request reads more. */

type Accepting = Pick<User, 'terms' | 'terms_pending'>;

export const hasAccepted = ({ terms = {} }: Accepting, { slug, version }: TermsDocument): boolean =>
  terms[slug] === version;

/** Whether the user has to accept something before anything else. */
export function isOutstanding(user: Accepting, { terms }: Pick<Config, 'terms'>): boolean {
  if (user.terms_pending) return true;
  return terms.some((document) => document.required && !hasAccepted(user, document));
}
