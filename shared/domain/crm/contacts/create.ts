import type { Caller } from '#shared/domain/identity/caller.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import type { Contact, ContactDraft } from './contact.ts';
import { fitting, nameOf } from './name.ts';
import { nothingSent, withSent } from './sent.ts';

export function newContact(caller: Caller, draft: ContactDraft, now: Date): Contact {
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
  return fitting(withSent(empty, draft, now));
}
