import type { Visitor } from '#shared/context.ts';
import { audit } from '#shared/domain/identity/audit/audit.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { findUsers } from '#shared/domain/identity/users/store.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { seenAs } from '#shared/domain/identity/visitor.ts';
import { ApiError, recordNotFound } from '#shared/errors.ts';
import { idFrom } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { asRead, type Table, update, type Write } from '#shared/table/table.ts';
import type { TermsDocument } from '#shared/terms.ts';
import type { AssentDraft, TermsAssent } from './assent.ts';
import { hasAccepted } from './outstanding.ts';

const METHOD = 'clickwrap';

/**
 * The documents that are accepted. 400 `documents_required`, `unknown_document` for one of another version,
 * `incomplete_acceptance` while a required one is neither among them nor accepted before, `invalid_acceptance_method`.
 */
function acceptedOf(
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

type Ctx = CallerContext & Visitor;

function assentTo(ctx: Ctx, { slug, version }: TermsDocument): TermsAssent {
  const { id: user_id } = ctx.caller.user;
  return {
    ...keys.termsAssent(user_id, slug, version),
    id: idFrom('assent', user_id, slug, version),
    ...{ user_id, document: slug, version, method: METHOD },
    ...seenAs(ctx),
    accepted_at: ctx.now.toISOString(),
  };
}

/** Oldest first. */
export async function listAssents(table: Table, user_id: string): Promise<TermsAssent[]> {
  const all = await table.all<TermsAssent>(keys.termsAssent(user_id, '', '').PK);
  return all.sort((a, b) => a.accepted_at.localeCompare(b.accepted_at));
}

/** What was accepted before stays as it was then. As in `acceptedOf`. */
export function acceptTerms(ctx: Ctx, draft: AssentDraft): Promise<TermsAssent[]> {
  const { account, user } = ctx.caller;
  return retryOnConflict(async () => {
    const [before] = await findUsers(ctx.table, account.id, [user.id]);
    if (!before) throw recordNotFound();
    const documents = acceptedOf(ctx.config.terms, draft, before);
    const existing = await listAssents(ctx.table, user.id);
    const assents = documents.map((document) => {
      const assent = assentTo(ctx, document);
      return existing.find(({ id }) => id === assent.id) ?? assent;
    });
    const added = assents.filter((assent) => !existing.includes(assent));
    const terms = Object.fromEntries(documents.map(({ slug, version }) => [slug, version]));
    const events = added.map(({ document: id, version: name }) =>
      audit(ctx, account.id, { action: 'terms_accepted', subject: { type: 'terms', id, name } }),
    );
    const accepting: Write = update<User>(keys.user(account.id, user.id), {
      set: { terms: { ...before.terms, ...terms } },
      remove: ['terms_pending'],
      when: { terms: asRead(before.terms), status: 'active' },
    });
    await ctx.table.transact([accepting, ...added.map((put) => ({ put })), ...events]);
    return assents;
  });
}
