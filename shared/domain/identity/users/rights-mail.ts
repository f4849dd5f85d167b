import { below } from '#shared/addresses.ts';
import type { Context } from '#shared/context.ts';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import { ownersOf, ownersWith } from '#shared/domain/identity/accounts/owners.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Job } from '#shared/domain/platform/jobs/job.ts';
import { sendsMail } from '#shared/domain/platform/outgoing-mail/available.ts';
import { mailJob } from '#shared/domain/platform/outgoing-mail/job.ts';
import type { MailKind, OutgoingMail, Part } from '#shared/domain/platform/outgoing-mail/mail.ts';
import { keys } from '#shared/table/keys.ts';
import { momentFor } from './moment.ts';
import { findUsers } from './store.ts';
import type { User } from './user.ts';

/**
 * Mail about changed rights, in the transaction of the change. Whoever changed them gets it too: somebody else may have
 * that person's session (docs/specification/people.md, "Mail about rights").
 */

interface Change<Value> {
  account_id: string;
  /** Who gets the mail. */
  to: string;
  /** Who changed it. */
  by: string;
  before: Value;
  after: Value;
  /** ISO 8601 */
  at: string;
}

type RoleChange = Change<User['role']> & { of: string };
type ApiAccessChange = Change<Account['api_access']>;

/** The account, who gets the mail and others by id; undefined where the account is closed or nobody is to be told. */
async function readPeople(
  { table }: Context,
  { account_id, to }: Pick<Change<unknown>, 'account_id' | 'to'>,
  others: string[],
) {
  const [account, users] = await Promise.all([
    table.get<Account>(keys.account(account_id)),
    findUsers(table, account_id, [...new Set([to, ...others])]),
  ]);
  const recipient = users.find(({ id }) => id === to);
  if (account?.status !== 'active' || recipient?.status !== 'active') return undefined;
  const nameOf = (id: string) => users.find((user) => user.id === id)?.name ?? 'Somebody';
  return { account, recipient, nameOf };
}

/** `of` is what was changed. */
function rightsMail(
  { config }: Context,
  recipient: User,
  { subject, said, by, at }: { subject: string; said: string; by: string; at: string },
): OutgoingMail {
  const url = below(config.addresses.app, 'sign-in');
  const parts: Part[] = [
    { paragraph: said },
    { list: [`Changed by: ${by}`, `When: ${momentFor(recipient, at)} (${recipient.time_zone})`] },
    {
      paragraph:
        'If nobody of your team wanted this, sign in, take it back, and end the sessions that you do not know.',
    },
    ...(url ? [{ link: { url, label: 'Sign in' } }] : []),
  ];
  return { to: recipient.email_address, subject, parts };
}

/** Tells the user and the owner of the account that the user's role has changed. */
export const roleMail: MailKind<RoleChange> = {
  name: 'role_changed',
  async write(ctx, { of, by, before, after, at, ...where }) {
    const people = await readPeople(ctx, where, [of, by]);
    if (!people) return undefined;
    const { account, recipient, nameOf } = people;
    const whose = recipient.id === of ? 'Your role' : `The role of ${nameOf(of)}`;
    return rightsMail(ctx, recipient, {
      subject: `${whose} in ${account.name} is now ${after}`,
      said: `${whose} in ${account.name} is now ${after}. It was ${before}.`,
      by: nameOf(by),
      at,
    });
  },
};

const meanings: Record<Account['api_access'], string> = {
  enabled: 'on: keys work',
  read_only: 'read-only: keys change nothing',
  disabled: 'off: no key works',
};

/** Tells an owner that what keys may do has changed. */
export const apiAccessMail: MailKind<ApiAccessChange> = {
  name: 'api_access_changed',
  async write(ctx, { by, before, after, at, ...where }) {
    const people = await readPeople(ctx, where, [by]);
    if (!people) return undefined;
    const { account, recipient, nameOf } = people;
    return rightsMail(ctx, recipient, {
      subject: `API access of ${account.name} is now ${meanings[after]}`,
      said: `API access of ${account.name} is now ${meanings[after]}. It was ${meanings[before]}.`,
      by: nameOf(by),
      at,
    });
  },
};

const actOf = ({ caller, now }: CallerContext) => ({ by: caller.user.id, at: now.toISOString() });

/** To the user and to the owner of the account after the change, the oldest of several; none where the service sends no mail. */
export function roleMails(ctx: CallerContext, account: Account, before: User, after: User): Job[] {
  if (before.role === after.role || !sendsMail(ctx.config)) return [];
  const change = { ...actOf(ctx), of: after.id, before: before.role, after: after.role };
  const told = new Set([after.id, ...ownersWith(account, after).slice(0, 1)]);
  return [...told].map((to) => mailJob(roleMail, { account_id: account.id, to, ...change }, ctx.now));
}

/** To every owner; none where the service sends no mail. */
export function apiAccessMails(ctx: CallerContext, before: Account, after: Account): Job[] {
  if (before.api_access === after.api_access || !sendsMail(ctx.config)) return [];
  const change = { ...actOf(ctx), before: before.api_access, after: after.api_access };
  return ownersOf(after).map((to) =>
    mailJob(apiAccessMail, { account_id: after.id, to, ...change }, ctx.now),
  );
}
