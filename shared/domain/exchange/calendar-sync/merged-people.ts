import type ICAL from 'ical.js';
import { emailAddress } from '#shared/values.ts';

/** The people of an event at a server: their other parameters stay, as do rooms and people without an address. */

const addressOf = (property: ICAL.Property): string | undefined => {
  const text = `${property.getFirstValue() ?? ''}`.replace(/^mailto:/i, '');
  return (
    emailAddress.safeParse(text).data ??
    emailAddress.safeParse(`${property.getParameter('email') ?? ''}`).data
  );
};

const OPEN = 'NEEDS-ACTION';
const OPTIONAL = 'OPT-PARTICIPANT';

/** The answer that is known here; one that was delegated is open here. */
function answer(theirs: ICAL.Property, ours: ICAL.Property): void {
  const known = `${ours.getParameter('partstat') ?? OPEN}`;
  if (known !== OPEN && theirs.getParameter('partstat') !== known) theirs.setParameter('partstat', known);
}

function invite(theirs: ICAL.Property, ours: ICAL.Property): void {
  const wanted = ours.getParameter('role') === OPTIONAL;
  if (wanted !== (theirs.getParameter('role') === OPTIONAL))
    theirs.setParameter('role', wanted ? OPTIONAL : 'REQ-PARTICIPANT');
}

const added = (to: ICAL.Component, property: ICAL.Property, make: (jcal: unknown[]) => ICAL.Property) =>
  to.addProperty(make(structuredClone(property.toJSON())));

/** `changed`: who is invited was changed here. */
export function mergePeople(
  theirs: ICAL.Component,
  ours: ICAL.Component,
  { changed, make }: { changed: boolean; make: (jcal: unknown[]) => ICAL.Property },
): void {
  const known = new Map(theirs.getAllProperties('attendee').map((each) => [addressOf(each), each]));
  const wanted = new Map(ours.getAllProperties('attendee').map((each) => [addressOf(each), each]));
  for (const [address, property] of wanted) {
    const there = address === undefined ? undefined : known.get(address);
    if (there) answer(there, property);
    if (there && changed) invite(there, property);
    if (!there && changed) added(theirs, property, make);
  }
  if (!changed) return;
  for (const [address, property] of known)
    if (address !== undefined && !wanted.has(address)) theirs.removeProperty(property);
  const organizer = ours.getFirstProperty('organizer');
  if (organizer && !theirs.hasProperty('organizer')) added(theirs, organizer, make);
}

/** An event of one person invites nobody: some servers refuse an organizer who is not the user that they know. */
export function withoutLonePerson(event: ICAL.Component): void {
  if (event.getAllProperties('attendee').length > 1) return;
  event.removeAllProperties('attendee');
  event.removeAllProperties('organizer');
}
