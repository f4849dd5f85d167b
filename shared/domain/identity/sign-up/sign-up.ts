import type { Context, Visitor } from '#shared/context.ts';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import { newOpening, type Opening, openingWrites } from '#shared/domain/identity/accounts/open.ts';
import { audit } from '#shared/domain/identity/audit/audit.ts';
import type { Billing } from '#shared/domain/identity/billing/billing.ts';
import type { BillsAccounts } from '#shared/domain/identity/billing/port.ts';
import type { AsksProviders } from '#shared/domain/identity/openid/provider.ts';
import { type OpenedSession, openSession } from '#shared/domain/identity/sessions/open.ts';
import { wayOf } from '#shared/domain/identity/sign-in/way.ts';
import { assentOf, assentWrites, versionsOf } from '#shared/domain/identity/terms/accepted.ts';
import { takeFreeAddress } from '#shared/domain/identity/users/addresses.ts';
import { nameIn } from '#shared/domain/identity/users/create.ts';
import { acceptInvitation } from '#shared/domain/identity/waitlist/accept.ts';
import { ApiError } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import type { Write } from '#shared/table/table.ts';
import type { TermsDocument } from '#shared/terms.ts';
import { nameText } from '#shared/values.ts';
import { type AccountDraft, addressOf } from './draft.ts';
import { badToken, requireAccepted, requireInvited, requireToken, requireWorkAccount } from './policy.ts';
import type { MakesMailboxes } from './port.ts';
import { type Proven, prove } from './prove.ts';

type Ctx = Context<AsksProviders & BillsAccounts & MakesMailboxes> & Visitor;

export interface SignedUp {
  account: Account;
  billing: Billing;
  opened: OpenedSession;
}

const ownerName = nameText(255);

/** People who do not say what they are called are known by their address; a provider may call them anything. */
function ownerOf({ email_address, name }: Proven, { time_zone = 'Etc/UTC' }: AccountDraft) {
  const called = ownerName.safeParse(name);
  return {
    name: called.success ? called.data : nameIn(email_address),
    ...{ email_address, time_zone, week_starts_on: 'monday' as const },
  };
}

/** What admins read of it later; the owner is who acts. */
function kept(
  ctx: Ctx,
  { account, owner }: Opening,
  by: { user_id: string; credential_id: string },
): Write[] {
  const opened = { type: 'account' as const, id: account.id, name: account.name };
  const signed = { type: 'session' as const, id: by.credential_id, name: owner.name };
  return [
    audit(ctx, account.id, { action: 'account_created', subject: opened, ...by }),
    audit(ctx, account.id, { action: 'signed_in', subject: signed, ...by }),
  ];
}

/** The session of the owner; whatever of it is not stored has a code of its own. */
function sessionWrites({ writes: [session, access_token] }: OpenedSession): Write[] {
  return [
    { ...session, otherwise: () => new ApiError('session_creation_failed') },
    { ...access_token, otherwise: () => new ApiError('could_not_save_access_token') },
  ];
}

interface Accepted {
  documents: TermsDocument[];
  /** They use up what permits it, and are first: whoever is too late hears that. */
  permits: Write[];
  /** Reserves the address. */
  address: Write;
  /** Stores the mailbox of the owner. */
  mailbox: Write;
}

/** All of it is one transaction, of which every write that can fail says why. */
function writesOf(ctx: Ctx, opening: Opening, opened: OpenedSession, accepted: Accepted): Write[] {
  const { account, owner } = opening;
  const by = { user_id: owner.id, credential_id: opened.session.id };
  const assents = accepted.documents.map((document) => assentOf(ctx, owner.id, document));
  return [
    ...accepted.permits,
    ...openingWrites(opening, accepted.address),
    accepted.mailbox,
    ...sessionWrites(opened),
    ...kept(ctx, opening, by),
    ...assentWrites(ctx, account.id, assents, by),
  ];
}

/** Whether the writes are stored: a response that was lost does not tell. */
async function store(ctx: Ctx, account: Account, writes: Write[]): Promise<void> {
  try {
    await ctx.table.transact(writes);
  } catch (cause) {
    const refusal = cause instanceof ApiError ? cause : new ApiError('account_creation_failed', { cause });
    if (refusal !== cause && (await ctx.table.get(keys.account(account.id)))) return;
    throw refusal;
  }
}

/** The account with what names it at who takes the money, which removes it again when the account is not stored. */
async function billed(ctx: Ctx, { account, owner }: Opening): Promise<Account> {
  const { id: account_id, name } = account;
  const draft = { account_id, name, email_address: owner.email_address };
  const billing_reference = await ctx.ports.billing.open(ctx, draft);
  return billing_reference ? { ...account, billing_reference } : account;
}

interface Checked {
  opening: Opening;
  accepted: Accepted;
}

/** The account, its owner and what they take, after everything that can be wrong with the request, in the order of its codes. */
async function check(ctx: Ctx, sent: AccountDraft, browser: string | undefined): Promise<Checked> {
  const named = addressOf(sent);
  const way = wayOf({ ...sent, email_address: named }, ctx.config.openid);
  requireInvited(ctx, sent);
  const documents = requireAccepted(ctx, sent);
  const proven = await prove(ctx, way, named, browser);
  requireWorkAccount(ctx, proven.email_address);
  const invitation = await requireToken(ctx, sent, proven.email_address);
  const { account, owner: person } = newOpening({ name: sent.name, owner: ownerOf(proven, sent) }, ctx.now);
  const { owner, mailbox } = ctx.ports.withMailbox(person, ctx.now);
  const accepting = invitation ? acceptInvitation(invitation, badToken) : [];
  return {
    opening: { account, owner: documents.length > 0 ? { ...owner, terms: versionsOf(documents) } : owner },
    accepted: {
      documents,
      permits: [proven.use, ...accepting, ...proven.links(owner)],
      address: await takeFreeAddress(ctx.table, owner),
      mailbox,
    },
  };
}

/**
 * Opens an account with its owner and the owner's session, all or nothing, for whoever proves to have an address. What is
 * wrong with a request uses neither a code nor a token up. `browser` is the secret of the one whose page asks.
 */
export async function signUp(ctx: Ctx, sent: AccountDraft, browser: string | undefined): Promise<SignedUp> {
  const { opening, accepted } = await check(ctx, sent, browser);
  const account = await billed(ctx, opening);
  const opened = openSession(ctx, opening.owner);
  await store(ctx, account, writesOf(ctx, { ...opening, account }, opened, accepted));
  return { account, billing: await ctx.ports.billing.read(ctx, account), opened };
}
