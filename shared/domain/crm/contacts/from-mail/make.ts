import { recordChange } from '#shared/domain/collaboration/record-lists/record-change.ts';
import type { Correspondent } from '#shared/domain/collaboration/records/correspondent.ts';
import { freeAddresses } from '#shared/domain/crm/contacts/addresses.ts';
import { contactIndex } from '#shared/domain/crm/contacts/lists.ts';
import { ownerWrites } from '#shared/domain/crm/contacts/owners.ts';
import { listing } from '#shared/domain/crm/contacts/writes.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit, together } from '#shared/domain/platform/jobs/commit.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { contactFrom } from './contact.ts';
import { type Decided, decisionWrite } from './decision.ts';
import { employerOf } from './employer.ts';

/** The mail of one mailbox; the caller is its owner. */
export interface Mailed {
  ctx: CallerContext<KeepsLists>;
  mailbox_id: string;
  /** Domains of the account's own addresses. */
  own_domains: ReadonlySet<string>;
}

export function decidedBy(
  { ctx, mailbox_id }: Mailed,
  { name, since }: Correspondent,
  contact_id: string | null,
): Decided {
  const by = { mailbox_id, user_id: ctx.caller.user.id, since };
  return { contact_id, updated_at: null, by, name: name ?? null };
}

/**
 * Makes the contact of an address, unless one has it, which may be hidden. Fails when another request decides meanwhile
 * or gives somebody the address.
 */
export async function makeContact(mailed: Mailed, person: Correspondent): Promise<void> {
  const { ctx, own_domains } = mailed;
  const { email_address } = person;
  const account_id = ctx.caller.account.id;
  if ((await freeAddresses.idsOf(ctx, [email_address])).length > 0)
    return ctx.table.transact([decisionWrite(account_id, email_address, decidedBy(mailed, person, null))]);
  const { id, founded, change } = await employerOf(ctx, email_address, own_domains);
  const after = contactFrom(ctx, person, id);
  const besides = [
    ...change.writes,
    ...(await freeAddresses.change(ctx, undefined, after)),
    ...ownerWrites(undefined, after, founded),
    decisionWrite(account_id, email_address, decidedBy(mailed, person, after.id)),
  ];
  const made = await recordChange(ctx, contactIndex, { before: undefined, after, besides });
  await commit(ctx, listing(ctx, undefined, after, together(made, { writes: [], jobs: change.jobs })));
}
