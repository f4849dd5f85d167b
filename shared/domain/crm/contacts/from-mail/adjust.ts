import { isDeepStrictEqual } from 'node:util';
import { afterChange } from '#shared/domain/collaboration/record-lists/record-change.ts';
import { betterName, type Correspondent } from '#shared/domain/collaboration/records/correspondent.ts';
import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import { contactChange } from '#shared/domain/crm/contacts/writes.ts';
import { commit, together } from '#shared/domain/platform/jobs/commit.ts';
import { nameFor } from './contact.ts';
import { type Decided, type Decision, decisionWrite } from './decision.ts';
import { decidedBy, type Mailed } from './make.ts';
import { untouched } from './untouched.ts';

type By = Decision['by'];

/** Who met the address first owns the contact; the smaller id at the same moment. */
function first(a: By, b: By): By {
  if (a.since !== b.since) return a.since < b.since ? a : b;
  return a.mailbox_id <= b.mailbox_id ? a : b;
}

/** With what is known by now. */
function decidedNext(mailed: Mailed, person: Correspondent, decision: Decision): Decided {
  const { contact_id, updated_at } = decision;
  const { by } = decidedBy(mailed, person, contact_id);
  const name = betterName(decision.name ?? undefined, person.name) ?? null;
  return { contact_id, updated_at, by: first(decision.by, by), name };
}

function follow(before: Contact, address: string, { name, by }: Decided, now: Date): Contact {
  return afterChange(before, { ...before, ...nameFor(address, name), user_id: by.user_id }, now);
}

/** The best name and the first owner, of all that is known: so the order of mail and imports decides nothing. */
export async function adjust(mailed: Mailed, person: Correspondent, decision: Decision): Promise<void> {
  const { ctx } = mailed;
  const { email_address } = person;
  const next = decidedNext(mailed, person, decision);
  const { revision: _, PK: __, SK: ___, ...known } = decision;
  if (next.contact_id === null || isDeepStrictEqual(next, known)) return;
  const account_id = ctx.caller.account.id;
  if (next.by.user_id === known.by.user_id && isDeepStrictEqual(next.name, known.name))
    return ctx.table.transact([decisionWrite(account_id, email_address, next, decision)]);
  const before = await untouched(ctx.table, decision);
  if (!before) return;
  const after = follow(before, email_address, next, ctx.now);
  const decided = { ...next, updated_at: after.updated_at };
  const writes = [decisionWrite(account_id, email_address, decided, decision)];
  await commit(ctx, together(await contactChange(ctx, before, after), writes));
}
