import { audit, differences } from '#shared/domain/identity/audit/audit.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { apiAccessMails } from '#shared/domain/identity/users/rights-mail.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { requireVersion } from '#shared/domain/platform/versions/version.ts';
import { recordNotFound } from '#shared/errors.ts';
import { nextMoment } from '#shared/next-moment.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { update } from '#shared/table/table.ts';
import type { Account, AccountChanges } from './account.ts';

const settings = ['name', 'api_access', 'features', 'default_currency', 'time_zone'] as const;

type Settings = { [Name in (typeof settings)[number]]?: Account[Name] };

/** Fields that are not sent stay, those of `features` too. */
function withSent(account: Account, sent: AccountChanges): Account {
  const { name, api_access, features, default_currency, time_zone } = sent;
  return {
    ...account,
    ...(name === undefined ? {} : { name }),
    ...(api_access === undefined ? {} : { api_access }),
    ...(default_currency === undefined ? {} : { default_currency }),
    ...(time_zone === undefined ? {} : { time_zone }),
    features: { ask_assistant: features?.ask_assistant ?? account.features.ask_assistant },
  };
}

/** Counts from the next request on, as every request reads its account. For who passes `requireAccountAdmin`. */
export async function updateAccount(ctx: CallerContext, sent: AccountChanges): Promise<Account> {
  const { id } = ctx.caller.account;
  return retryOnConflict(async () => {
    const before = await ctx.table.get<Account>(keys.account(id));
    if (!before) throw recordNotFound();
    requireVersion(ctx, id, before);
    const after = withSent(before, sent);
    const changes = differences<Settings>(before, after, settings);
    if (changes.length === 0) return before;
    const changed = { ...after, updated_at: nextMoment(before, ctx.now) };
    const { name, api_access, features, default_currency, time_zone, updated_at } = changed;
    const writes = [
      update<Account>(keys.account(id), {
        set: { name, api_access, features, default_currency, time_zone, updated_at },
        when: { updated_at: before.updated_at },
      }),
      audit(ctx, id, { action: 'account_updated', subject: { type: 'account', id, name }, changes }),
    ];
    await commit(ctx, { writes, jobs: apiAccessMails(ctx, before, changed) });
    return changed;
  });
}
