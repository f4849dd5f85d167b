import type { Caller } from '#shared/domain/identity/caller.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import type { Contact } from './contact.ts';
import type { ContactDraft } from './draft.ts';
import { entriesOf } from './entries.ts';
import { nameOf, placed } from './place.ts';

/** `null` and an empty value are the same: "not there". */
export function customFieldsOf(sent: Record<string, unknown>): string {
  return JSON.stringify(Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null)));
}

export function newContact(caller: Caller, draft: ContactDraft, now: Date): Contact {
  const id = newId(now);
  return placed({
    ...keys.record('contacts', id),
    id,
    account_id: caller.account.id,
    user_id: caller.user.id,
    list: '',
    rank: '',
    name: nameOf(draft),
    first_name: draft.first_name ?? null,
    last_name: draft.last_name ?? null,
    nickname: draft.nickname ?? null,
    headline: draft.headline ?? null,
    description: draft.description ?? null,
    avatar_url: draft.avatar_url ?? null,
    email_addresses: entriesOf.email_addresses(draft.email_addresses ?? [], now),
    phone_numbers: entriesOf.phone_numbers(draft.phone_numbers ?? [], now),
    links: entriesOf.links(draft.links ?? [], now),
    addresses: entriesOf.addresses(draft.addresses ?? [], now),
    employments: entriesOf.employments(draft.employments ?? [], now),
    birthday: draft.birthday ?? null,
    time_zone: draft.time_zone ?? null,
    visibility: draft.visibility ?? 'account',
    external_id: draft.external_id ?? null,
    custom_fields: customFieldsOf(draft.custom_fields ?? {}),
    source: caller.credential.kind === 'api_key' ? 'api' : 'manual',
    created_at: now.toISOString(),
    updated_at: null,
  });
}
