import { fitting } from '#shared/domain/crm/details/size.ts';
import type { Caller, CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import type { Contact, ContactDraft } from './contact.ts';
import { type Named, withEmployers } from './employers.ts';
import { nameOf } from './name.ts';
import { nothingSent, withSent } from './sent.ts';
import { contactChange } from './writes.ts';

/** 400 when it is too large. */
export function newContact(caller: Caller, draft: Named<ContactDraft>, now: Date): Contact {
  const id = newId(now);
  const empty: Contact = {
    ...keys.record('contacts', id),
    id,
    account_id: caller.account.id,
    user_id: caller.user.id,
    name: nameOf(draft),
    ...nothingSent,
    source: caller.credential.kind === 'api_key' ? 'api' : 'manual',
    created_at: now.toISOString(),
    updated_at: null,
    shares: {},
  };
  return fitting(withSent(empty, draft, now), 'contact');
}

/** With the organizations that it names. 404 for one that the caller does not see; 409 as in `contactChange`. */
export function createContact(ctx: CallerContext<KeepsLists>, draft: ContactDraft): Promise<Contact> {
  return retryOnConflict(async () => {
    const { sent, founded } = await withEmployers(ctx, draft);
    const contact = newContact(ctx.caller, sent, ctx.now);
    await commit(ctx, await contactChange(ctx, undefined, contact, founded));
    return contact;
  });
}
