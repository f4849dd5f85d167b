import { invalidField, recordNotFound } from '../../errors.ts';
import { newId } from '../../ids.ts';
import { keys, lists } from '../../table/keys.ts';
import type { Caller } from '../caller.ts';
import type { Contact } from './contact.ts';
import type { ContactDraft } from './draft.ts';

/** A page of 50 contacts has to fit an answer of Lambda (6 MB). */
const MAX_BYTES = 100 * 1024;
/** Of a folded name: with the id it stays below the 1,024 bytes of an index key. */
const RANK_CHARACTERS = 200;

/** A name as it sorts: without case, accents and extra spaces. */
function foldName(name: string): string {
  const folded = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .trim();
  return [...folded].slice(0, RANK_CHARACTERS).join('');
}

/** The tab sorts before anything that a folded name holds, so "Ann" comes before "Ann Bell". */
function rankOf(name: string, id: string): string {
  return `${foldName(name)}\t${id}`;
}

function listOf(contact: Pick<Contact, 'account_id' | 'user_id' | 'visibility'>): string {
  return contact.visibility === 'account'
    ? lists.contacts(contact.account_id)
    : lists.privateContacts(contact.user_id);
}

function nameOf(draft: ContactDraft): string {
  const parts = [draft.first_name, draft.last_name].filter((part) => part != null);
  return draft.name ?? (parts.join(' ') || (draft.email_addresses?.[0]?.email_address ?? ''));
}

/** The first entry is the primary one unless another says so. */
function withPrimary<T extends { primary?: boolean | undefined; label?: string | null | undefined }>(
  entries: T[],
  now: Date,
) {
  const chosen = Math.max(
    0,
    entries.findIndex((entry) => entry.primary),
  );
  return entries.map((entry, i) => ({
    ...entry,
    id: newId(now),
    label: entry.label ?? null,
    primary: i === chosen,
  }));
}

function employmentsOf(draft: ContactDraft, now: Date): Contact['employments'] {
  return (draft.employments ?? []).map((employment) => {
    // There are no organizations yet, so none is visible.
    if (employment.organization) throw recordNotFound();
    return {
      id: newId(now),
      title: employment.title ?? null,
      organization: null,
      current: employment.current ?? employment.ended_on == null,
      started_on: employment.started_on ?? null,
      ended_on: employment.ended_on ?? null,
    };
  });
}

function addressesOf(draft: ContactDraft, now: Date): Contact['addresses'] {
  return (draft.addresses ?? []).map((address) => ({
    id: newId(now),
    street: address.street ?? null,
    city: address.city ?? null,
    region: address.region ?? null,
    postal_code: address.postal_code ?? null,
    country: address.country ?? null,
    label: address.label ?? null,
  }));
}

/** `null` and an empty value are the same: "not there". */
function customFieldsOf(draft: ContactDraft): string {
  const kept = Object.entries(draft.custom_fields ?? {}).filter(([, value]) => value !== null);
  return JSON.stringify(Object.fromEntries(kept));
}

function refuseTooLarge(contact: Contact): void {
  const sizes = Object.entries(contact).map(([field, value]) => ({
    field,
    bytes: Buffer.byteLength(JSON.stringify(value) ?? ''),
  }));
  if (sizes.reduce((sum, { bytes }) => sum + bytes, 0) <= MAX_BYTES) return;
  const largest = sizes.reduce((best, next) => (next.bytes > best.bytes ? next : best));
  throw invalidField(largest.field, 'too_long', 'makes the contact larger than 100 KB');
}

export function newContact(caller: Caller, draft: ContactDraft, now: Date): Contact {
  const id = newId(now);
  const name = nameOf(draft);
  const owner = {
    account_id: caller.account.id,
    user_id: caller.user.id,
    visibility: draft.visibility ?? ('account' as const),
  };
  const contact: Contact = {
    ...keys.record('contacts', id),
    ...owner,
    id,
    list: listOf(owner),
    rank: rankOf(name, id),
    name,
    first_name: draft.first_name ?? null,
    last_name: draft.last_name ?? null,
    nickname: draft.nickname ?? null,
    headline: draft.headline ?? null,
    description: draft.description ?? null,
    avatar_url: draft.avatar_url ?? null,
    email_addresses: withPrimary(draft.email_addresses ?? [], now),
    phone_numbers: withPrimary(draft.phone_numbers ?? [], now),
    links: (draft.links ?? []).map((link) => ({ id: newId(now), url: link.url, label: link.label ?? null })),
    addresses: addressesOf(draft, now),
    employments: employmentsOf(draft, now),
    birthday: draft.birthday ?? null,
    time_zone: draft.time_zone ?? null,
    external_id: draft.external_id ?? null,
    custom_fields: customFieldsOf(draft),
    source: caller.credential.kind === 'api_key' ? 'api' : 'manual',
    created_at: now.toISOString(),
    updated_at: null,
  };
  refuseTooLarge(contact);
  return contact;
}
