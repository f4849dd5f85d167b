import { mapAtOnce } from '#shared/at-once.ts';
import type { Context } from '#shared/context.ts';
import type { Correspondent } from '#shared/domain/collaboration/records/correspondent.ts';
import { callerFor } from '#shared/domain/identity/users/caller-for.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { adjust } from './adjust.ts';
import { type Decision, decisionKey } from './decision.ts';
import { domainsOf } from './employer.ts';
import { type Mailed, makeContact } from './make.ts';
import { withdraw } from './withdraw.ts';

/** Makes contacts of people in mail, and keeps those that it made as the mail says (docs/decisions/0044). */

/** Domains in parallel, and the people of each behind the first, who may make their organization. */
const DOMAINS_AT_ONCE = 8;
const PEOPLE_AT_ONCE = 4;

/** The mailbox, and what is known of its account. */
export interface MailOf {
  account_id: string;
  mailbox: { id: string; user_id: string };
  /** Addresses of the account's users and mailboxes. */
  own_addresses: ReadonlySet<string>;
}

function settle(mailed: Mailed, person: Correspondent, read: Decision | undefined): Promise<void> {
  const { ctx } = mailed;
  const key = decisionKey(ctx.caller.account.id, person.email_address);
  let attempts = 0;
  return retryOnConflict(async () => {
    const decision = attempts++ === 0 ? read : await ctx.table.get<Decision>(key);
    if (decision)
      return person.wanted ? adjust(mailed, person, decision) : withdraw(mailed, person, decision);
    if (person.wanted) await makeContact(mailed, person);
  });
}

async function readDecisions({ ctx }: Mailed, people: Correspondent[]) {
  const account_id = ctx.caller.account.id;
  const keyOf = ({ email_address }: Correspondent) => decisionKey(account_id, email_address);
  const read = await ctx.table.getMany<Decision>(people.map(keyOf));
  const byKey = new Map(read.map((each) => [each.SK, each]));
  return (person: Correspondent) => byKey.get(keyOf(person).SK);
}

/** The domain that people have in common, else the address. */
const groupOf = ({ email_address }: Correspondent) => domainsOf(email_address)?.domain ?? email_address;

/** Idempotent; every person is a transaction of its own. The mail of a user who is no longer active makes nothing. */
export async function contactsFromMail(
  ctx: Context<KeepsLists>,
  { account_id, mailbox, own_addresses }: MailOf,
  people: Correspondent[],
): Promise<void> {
  if (people.length === 0) return;
  const caller = await callerFor(ctx.table, { account_id, user_id: mailbox.user_id });
  if (!caller) return;
  const own_domains = new Set([...own_addresses].flatMap((each) => domainsOf(each)?.domain ?? []));
  const mailed: Mailed = { ctx: { ...ctx, caller }, mailbox_id: mailbox.id, own_domains };
  const decisionOf = await readDecisions(mailed, people);
  const groups = [...Map.groupBy(people, groupOf).values()];
  await mapAtOnce(groups, DOMAINS_AT_ONCE, async ([first, ...others]) => {
    if (first) await settle(mailed, first, decisionOf(first));
    await mapAtOnce(others, PEOPLE_AT_ONCE, (person) => settle(mailed, person, decisionOf(person)));
  });
}
