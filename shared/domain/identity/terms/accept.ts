import type { Visitor } from '#shared/context.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { findUsers } from '#shared/domain/identity/users/store.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { recordNotFound } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { asRead, type Table, update, type Write } from '#shared/table/table.ts';
import { acceptedOf, assentOf, assentWrites, versionsOf } from './accepted.ts';
import type { AssentDraft, TermsAssent } from './assent.ts';

type Ctx = CallerContext & Visitor;

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
      const assent = assentOf(ctx, user.id, document);
      return existing.find(({ id }) => id === assent.id) ?? assent;
    });
    const added = assents.filter((assent) => !existing.includes(assent));
    const accepting: Write = update<User>(keys.user(account.id, user.id), {
      set: { terms: { ...before.terms, ...versionsOf(documents) } },
      remove: ['terms_pending'],
      when: { terms: asRead(before.terms), status: 'active' },
    });
    await ctx.table.transact([accepting, ...assentWrites(ctx, account.id, added)]);
    return assents;
  });
}
