import type { Merged } from '#shared/domain/collaboration/records/merged.ts';
import { fitting } from '#shared/domain/crm/details/size.ts';
import { nextMoment } from '#shared/next-moment.ts';
import type { Contact } from '../contact.ts';
import { nameOf } from '../name.ts';
import { singleFields } from './fields.ts';
import { restoredShares, sharesWithout } from './parted-shares.ts';
import { undone, undoneByKey, undoneEntries } from './undone.ts';

/** What becomes of two contacts when their merge is taken back (docs/specification/records.md, "Taking a merge back"). */

export interface Before extends Merged<Contact> {
  /** The survivor as it is. */
  now: Contact;
}

type Lists = 'phone_numbers' | 'links' | 'addresses' | 'employments';

function listsWithout({ before, after, now, gone }: Before): Pick<Contact, Lists | 'email_addresses'> {
  const addressesOf = (contact: Contact) => contact.email_addresses.map((each) => each.email_address);
  const own = new Set(addressesOf(before));
  const theirs = new Set(addressesOf(gone).filter((address) => !own.has(address)));
  const states = <Name extends Lists>(name: Name) => ({
    before: before[name],
    after: after[name],
    now: now[name],
  });
  return {
    email_addresses: undoneEntries(
      { before: before.email_addresses, after: after.email_addresses, now: now.email_addresses },
      ({ email_address }) => theirs.has(email_address),
    ),
    phone_numbers: undoneEntries(states('phone_numbers')),
    links: undoneEntries(states('links')),
    addresses: undoneEntries(states('addresses')),
    employments: undoneEntries(states('employments')),
  };
}

/** A computed name follows its sources, as in updates. */
function nameWithout({ before, after, now }: Before, left: Contact): string {
  if (now.name !== after.name) return now.name;
  const isComputed = before.name === nameOf({ ...before, name: null });
  return (isComputed && nameOf({ ...left, name: null })) || before.name;
}

const pinsOf = ({ pinned_by }: Contact) =>
  Object.fromEntries([...(pinned_by ?? [])].map((user_id) => [user_id, true]));

function customFieldsWithout({ before, after, now }: Before): string {
  const [was, merged, is] = [before, after, now].map(({ custom_fields }) => JSON.parse(custom_fields));
  return JSON.stringify(undoneByKey({ before: was, after: merged, now: is }));
}

/** Attributes that are missing when they are empty. */
function withSets(contact: Contact, { before, after, now }: Before): Contact {
  const { pinned_by: _, memberships: __, merged_ids: ___, ...rest } = contact;
  const pins = Object.keys(undoneByKey({ before: pinsOf(before), after: pinsOf(after), now: pinsOf(now) }));
  const memberships = undoneByKey({
    before: before.memberships ?? {},
    after: after.memberships ?? {},
    now: now.memberships ?? {},
  });
  return {
    ...rest,
    ...(pins.length > 0 ? { pinned_by: new Set(pins) } : {}),
    ...(Object.keys(memberships).length > 0 ? { memberships } : {}),
    ...(before.merged_ids ? { merged_ids: before.merged_ids } : {}),
  };
}

/** The survivor without the other contact. 400 `too_long` when what it gets back does not fit. */
export function survivorWithout(states: Before, moment: Date): Contact {
  const { before, after, now } = states;
  const singles = Object.fromEntries(
    singleFields.map((name) => [name, undone({ before: before[name], after: after[name], now: now[name] })]),
  );
  const left: Contact = {
    ...now,
    ...singles,
    ...listsWithout(states),
    custom_fields: customFieldsWithout(states),
    visibility: undone({ before: before.visibility, after: after.visibility, now: now.visibility }),
    shares: sharesWithout(states),
    updated_at: nextMoment(now, moment),
  };
  return fitting({ ...withSets(left, states), name: nameWithout(states, left) }, 'contact');
}

/** Those that nobody has removed since the merge, which gave them to the survivor. */
const stillIn = <V>(gone: Record<string, V>, now: Record<string, unknown>) =>
  Object.entries(gone).filter(([name]) => name in now);

/** The other contact as it was; its tags follow with its dependents. */
export function restoredContact(states: Before, moment: Date): Contact {
  const { tag_ids: _, pinned_by: __, restoring: ___, memberships: before = {}, ...gone } = states.gone;
  const memberships = stillIn(before, states.now.memberships ?? {});
  const pins = stillIn(pinsOf(states.gone), pinsOf(states.now)).map(([user_id]) => user_id);
  return {
    ...gone,
    ...(pins.length > 0 ? { pinned_by: new Set(pins) } : {}),
    ...(memberships.length > 0 ? { memberships: Object.fromEntries(memberships) } : {}),
    shares: restoredShares(states),
    updated_at: nextMoment(gone, moment),
  };
}
