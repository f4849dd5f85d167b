import type { Context, Visitor } from '#shared/context.ts';
import { audit } from '#shared/domain/identity/audit/audit.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { seenAs } from '#shared/domain/identity/visitor.ts';
import { ApiError } from '#shared/errors.ts';
import { idFrom } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import type { Write } from '#shared/table/table.ts';
import type { TermsDocument } from '#shared/terms.ts';
import type { AssentDraft, TermsAssent } from './assent.ts';
import { hasAccepted } from './outstanding.ts';

/** What a request accepts, checked, and what is stored of it. */

const METHOD = 'clickwrap';

/**
 * The documents that are accepted. 400 `documents_required`, `unknown_document` for one of another version,
 * `incomplete_acceptance` while a required one is neither among them nor accepted before, `invalid_acceptance_method`.
 */
export function acceptedOf(
  terms: TermsDocument[],
  { documents = [], method }: AssentDraft,
  before: Pick<User, 'terms'>,
): TermsDocument[] {
  if (documents.length === 0) throw new ApiError('documents_required');
  const known = (sent: { slug: string; version: string }) =>
    terms.find(({ slug, version }) => slug === sent.slug && version === sent.version);
  const found = documents.map(known);
  if (found.includes(undefined)) throw new ApiError('unknown_document');
  const accepted = new Set(found);
  if (terms.some((each) => each.required && !accepted.has(each) && !hasAccepted(before, each)))
    throw new ApiError('incomplete_acceptance');
  if (method !== METHOD) throw new ApiError('invalid_acceptance_method');
  return terms.filter((each) => accepted.has(each));
}

export function assentOf(
  ctx: Pick<Context, 'now'> & Visitor,
  user_id: string,
  { slug, version }: TermsDocument,
): TermsAssent {
  return {
    ...keys.termsAssent(user_id, slug, version),
    id: idFrom('assent', user_id, slug, version),
    ...{ user_id, document: slug, version, method: METHOD },
    ...seenAs(ctx),
    accepted_at: ctx.now.toISOString(),
  };
}

/** For the user's item, which every request reads. */
export const versionsOf = (documents: TermsDocument[]): Record<string, string> =>
  Object.fromEntries(documents.map(({ slug, version }) => [slug, version]));

/** `by` says who accepts, where the request has no caller yet. */
export function assentWrites(
  ctx: Parameters<typeof audit>[0],
  account_id: string,
  assents: TermsAssent[],
  by: { user_id?: string; credential_id?: string } = {},
): Write[] {
  return assents.flatMap((put) => {
    const subject = { type: 'terms' as const, id: put.document, name: put.version };
    return [{ put }, audit(ctx, account_id, { action: 'terms_accepted', subject, ...by })];
  });
}
