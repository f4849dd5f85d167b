import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import type { Key } from '#shared/table/keys.ts';
import {
  type AllOf,
  above,
  among,
  at,
  containing,
  either,
  exactly,
  missing,
  not,
  present,
  sized,
  type Table,
  unlessThere,
  update,
  when,
} from '#shared/table/table.ts';

/** Reads and writes of an entity. Nothing here runs: `tsc` fails when a line compiles that must not. */

declare const table: Table;
declare const key: Key;
declare const user: User;
declare const contact: Contact;

// @ts-expect-error: a misspelt attribute
void contact.nmae;
// @ts-expect-error: an attribute of another entity
void user.birthday;

update<User>(key, {
  set: {
    name: 'Ada',
    mailboxes: at('m', 'view'),
    updated_at: unlessThere('now'),
    avatar_id: null,
    first_name: undefined,
  },
  add: { group_ids: new Set(['g']), label_sync_mailbox_ids: undefined },
  take: { group_ids: new Set(['g']) },
  remove: ['terms_pending', ['mailboxes', 'm']],
  when: { status: 'active', role: among('owner', 'admin'), mailboxes: at('m', missing) },
});
table.update<User>(key, {
  set: { role: 'member' },
  when: [{ role: 'admin' }, { role: 'owner', status: present }],
});

// @ts-expect-error: a misspelt attribute
update<User>(key, { set: { nmae: 'Ada' } });
// @ts-expect-error: the same, without a transaction
table.update<User>(key, { set: { nmae: 'Ada' } });
// @ts-expect-error: a number for a text
update<User>(key, { set: { name: 1 } });
// @ts-expect-error: none of the literals
update<User>(key, { set: { role: 'king' } });
// @ts-expect-error: null for a required attribute
update<User>(key, { set: { name: null } });
// @ts-expect-error: a list for a set
update<User>(key, { set: { group_ids: ['g'] } });
// @ts-expect-error: another text unless there
update<User>(key, { set: { name: unlessThere(1) } });
// @ts-expect-error: an entry of an attribute that is not a map
update<User>(key, { set: { name: at('a', 'b') } });
// @ts-expect-error: an entry of another type
update<User>(key, { set: { mailboxes: at('m', 'steal') } });
// @ts-expect-error: a place that its entry does not have
update<User>(key, { set: { notification_settings: at('mention', at('pager', true)) } });
update<User>(key, { set: { notification_settings: at('mention', at('push', true)) } });

// @ts-expect-error: only numbers and sets are added to
update<User>(key, { add: { name: 'x' } });
// @ts-expect-error: a number to a set
update<User>(key, { add: { group_ids: 1 } });
// @ts-expect-error: members of another type
update<User>(key, { add: { group_ids: new Set([1]) } });
// @ts-expect-error: only sets lose members
update<User>(key, { take: { mailboxes: new Set(['m']) } });
// @ts-expect-error: a misspelt attribute
update<User>(key, { remove: ['nmae'] });
// @ts-expect-error: an entry of a misspelt attribute
update<User>(key, { remove: [['mailbxes', 'm']] });

when<Contact>({ updated_at: contact.updated_at, tag_ids: missing }, { name: above('m') });
const named: AllOf<Contact> = { name: 'Ada' };
when<Contact>({ ...named, tag_ids: either(missing, sized(0)), links: sized(above(1)) });
when<Contact>({ tag_ids: containing('t'), name: containing('a') });

// @ts-expect-error: a misspelt attribute
when<Contact>({ nmae: 'Ada' });
// @ts-expect-error: a text for a set
when<Contact>({ tag_ids: 't' });
// @ts-expect-error: a set for a text
when<Contact>({ name: new Set(['Ada']) });
// @ts-expect-error: a test of numbers on a text
when<Contact>({ name: above(1) });
// @ts-expect-error: a test of texts on a union of literals
when<Contact>({ visibility: among('private', 1) });
when<Contact>({ visibility: among('private', 'account') });
// @ts-expect-error: a misspelt literal among others
when<Contact>({ visibility: among('private', 'publik') });
// @ts-expect-error: exactly a misspelt literal
when<Contact>({ visibility: exactly('publik') });
// @ts-expect-error: not a misspelt literal
when<Contact>({ visibility: not('publik') });
// @ts-expect-error: a misspelt literal among alternatives
when<Contact>({ visibility: either(missing, exactly('publik')) });
when<Contact>({ visibility: either(missing, exactly('private'), not('account')), name: among('a', 'b') });
update<User>(key, { set: { name: 'Ada' }, when: [{ role: not('owner') }, { role: among('admin') }] });
// @ts-expect-error: a misspelt literal in an update
update<User>(key, { set: { name: 'Ada' }, when: { role: not('ownr') } });
// @ts-expect-error: a misspelt literal in a filter
void table.query<Contact>({ partition: 'p', filter: { visibility: not('publik') }, limit: 1 });
// @ts-expect-error: a misspelt literal in a place of a map
update<User>(key, { set: { name: 'Ada' }, when: { mailboxes: at('m', among('view', 'steal')) } });
// @ts-expect-error: none of the literals
when<Contact>({ visibility: 'secret' });
// @ts-expect-error: a number has no size
when<Contact>({ created_at: sized(1) });
// @ts-expect-error: a set of texts contains no number
when<Contact>({ tag_ids: containing(1) });
// @ts-expect-error: an entry of an attribute that is not a map
when<Contact>({ name: at('a', present) });
// @ts-expect-error: an update depends on attributes of its own entity
update<Contact>(key, { set: { name: 'Ada' }, when: { role: 'admin' } });

void table.query<Contact>({
  partition: 'p',
  sort: { begins: 'a' },
  filter: { visibility: 'private' },
  limit: 1,
});
// @ts-expect-error: a misspelt attribute in a filter
void table.query<Contact>({ partition: 'p', filter: { visiblity: 'private' }, limit: 1 });
// @ts-expect-error: an expression of DynamoDB's own
void table.query<Contact>({ partition: 'p', where: 'PK = :p', limit: 1 });
// @ts-expect-error: no limit
void table.query<Contact>({ partition: 'p' });
