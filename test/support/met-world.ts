import fc from 'fast-check';
import { givenAccount } from './accounts.ts';
import { mergeWhole } from './duplicates.ts';
import { allEvents, givenCalendar, givenEvent, shareMailbox } from './events.ts';
import { givenGroup } from './groups.ts';
import { eml, importMail, listAllThreads } from './mail.ts';
import { onMailbox, onThread } from './shares.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** An account with mail, meetings and people that change at random: three users, of whom two have a mailbox. */

const DAY = 86_400_000;
const START = Date.UTC(2093, 0, 1);
/** Two thirds of all mail and meetings are older than 14 days. */
export const NOW = START + 42 * DAY;
const ADDRESSES = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}@met.example`);

const day = fc.double({ min: 0.1, max: 45, noNaN: true });
const who = fc.nat(2);
const of = fc.nat(1);
const which = fc.nat(20);
const held = fc.subarray(ADDRESSES, { maxLength: 2 });
const address = fc.constantFrom(...ADDRESSES);
const visibility = fc.constantFrom('account' as const, 'account' as const, 'private' as const);
const kind = <Kind extends string>(name: Kind) => fc.constant(name);
const drawn = (weight: number, arbitrary: fc.Arbitrary<object>) => ({ weight, arbitrary });

/** `undated` mail counts when it came first; `of` is a mailbox, and `which` one of what there is. */
const step = fc.oneof(
  drawn(5, fc.record({ kind: kind('mail'), of, day, from: address, cc: held, undated: fc.nat(5) })),
  drawn(2, fc.record({ kind: kind('reply'), of, day, from: address, which })),
  drawn(1, fc.record({ kind: kind('again'), of, which })),
  drawn(
    3,
    fc.record({
      ...{ kind: kind('meeting'), of, day, with: address, who, private: fc.boolean() },
      ...{ weekly: fc.boolean(), days: fc.constantFrom(0.05, 0.05, 5) },
    }),
  ),
  drawn(1, fc.record({ kind: kind('move'), which, day, all: fc.boolean() })),
  drawn(1, fc.record({ kind: kind('cancel'), which })),
  drawn(1, fc.record({ kind: kind('invite'), which, who })),
  drawn(1, fc.record({ kind: kind('addresses'), which, held, day })),
  drawn(1, fc.record({ kind: kind('visibility'), which, visibility })),
  drawn(2, fc.record({ kind: kind('access'), of, who, on: fc.boolean() })),
  drawn(2, fc.record({ kind: kind('share'), of, which, who, group: fc.boolean() })),
  drawn(1, fc.record({ kind: kind('unshare'), of, which })),
  drawn(1, fc.record({ kind: kind('merge'), which, other: which })),
  drawn(1, fc.record({ kind: kind('delete'), which })),
) as fc.Arbitrary<Drawn>;

const contact = fc.record({ by: who, held, visibility, at: fc.nat(2) });

export const contactsDrawn = fc.array(contact, { minLength: 6, maxLength: 8 });
export const stepsDrawn = (maxLength: number) => fc.array(step, { minLength: maxLength - 2, maxLength });

type Contact = typeof contact extends fc.Arbitrary<infer T> ? T : never;
interface Drawn {
  kind: string;
  which: number;
  of: number;
  who: number;
  day: number;
  from: string;
  cc?: string[];
  undated?: number;
  with: string;
  private: boolean;
  weekly: boolean;
  days: number;
  all: boolean;
  held: string[];
  visibility: 'account' | 'private';
  on: boolean;
  group: boolean;
  other: number;
}

/** A request that was refused changes nothing, and the world goes on. */
const unlessRefused = (call: Promise<unknown>) =>
  call.catch((error: { status?: number }) => {
    if ((error.status ?? 500) >= 500) throw error;
  });

const entries = (addresses: string[]) => addresses.map((email_address) => ({ email_address }));
const moment = (days: number) => new Date(START + days * DAY);

export async function metWorld(workspace: Workspace) {
  workspace.setTime(new Date(START));
  const users = (await givenAccount(workspace, 3)) as [TestUser, TestUser, TestUser];
  const userAt = (i: number) => users[i] as TestUser;
  const homes = await Promise.all(
    users.slice(0, 2).map(async (owner) => ({ owner, ...(await givenCalendar(workspace, owner)) })),
  );
  const homeAt = (i: number) => homes[i] as (typeof homes)[number];
  const group = await givenGroup(users[0], [users[2]]);
  const contacts: { id: string; by: TestUser }[] = [];
  const events: { id: string; by: TestUser }[] = [];
  const mails: { id: string; bytes: Buffer }[] = [];
  const pick = <T>(all: T[], i: number) => all[i % Math.max(1, all.length)];
  const organizations = await Promise.all(
    ['One', 'Two'].map(async (name, i) => {
      const organization = { name, visibility: i === 0 ? ('account' as const) : ('private' as const) };
      return (await users[0].api.createOrganization({ body: { organization } })).body.organization.id;
    }),
  );

  async function create({ by: i, held, visibility, at }: Contact) {
    const by = userAt(i);
    const employer = i === 0 ? organizations[at] : at === 0 ? organizations[0] : undefined;
    const draft = {
      ...{ name: `Contact ${contacts.length}`, visibility, email_addresses: entries(held) },
      employments: employer === undefined ? [] : [{ organization: { id: employer } }],
    };
    const made = by.api.createContact({ body: { contact: draft } });
    await unlessRefused(made.then(({ body }) => contacts.push({ id: body.contact.id, by })));
  }

  async function deliver({ of, day, from, cc, undated }: Drawn, parent?: string) {
    const { owner, mailbox_id } = homeAt(of);
    if (undated === 0) workspace.setTime(moment(day));
    const id = `${mailbox_id}-${mails.length}@x`;
    const bytes = eml({
      ...{ id, from, cc: cc?.join(', ') ?? '' },
      ...(parent === undefined
        ? { subject: `Mail ${mails.length}` }
        : { in_reply_to: parent, subject: 'Re: it' }),
      date: undated === 0 ? null : moment(day).toUTCString().replace('GMT', '+0000'),
    });
    mails.push({ id, bytes });
    await importMail(workspace, owner, mailbox_id, [bytes]);
  }

  async function meet(meeting: Drawn) {
    const { owner, calendar_id } = homeAt(meeting.of);
    const user = userAt(meeting.who);
    const invited = user === owner ? [] : [user.user.email_address];
    const { id } = await givenEvent(owner, calendar_id, {
      ...{ starts_at: moment(meeting.day).toISOString(), time_zone: 'UTC', private: meeting.private },
      ends_at: moment(meeting.day + (meeting.weekly ? 0.05 : meeting.days)).toISOString(),
      attendees: entries([meeting.with, ...invited]),
      ...(meeting.weekly ? { recurrence: ['FREQ=WEEKLY;COUNT=3'] } : {}),
    });
    events.push({ id, by: owner });
  }

  /** Of a series, what is listed: an occurrence. */
  async function eventAt(i: number) {
    const known = pick(events, i);
    if (!known) return undefined;
    const query = { starts_after: moment(0).toISOString() };
    const all = (await known.by.reader.listCalendarEvents({ query })).body.collection.records;
    const event = pick(all, i);
    return event && { id: event.id, by: known.by };
  }

  async function move({ which, day, all }: Drawn) {
    const event = await eventAt(which);
    const calendar_event = {
      starts_at: moment(day).toISOString(),
      ends_at: moment(day + 0.02).toISOString(),
    };
    const body = { calendar_event, scope: all ? ('all' as const) : ('this' as const) };
    if (event) await unlessRefused(event.by.api.updateCalendarEvent({ params: { id: event.id }, body }));
  }

  async function access({ of, who, on }: Drawn) {
    const { owner, mailbox_id } = homeAt(of);
    const user = userAt(who);
    if (user === owner) return;
    if (on) return shareMailbox(owner, mailbox_id, user);
    const { shares } = (await owner.api.listShares({ params: onMailbox(mailbox_id) })).body;
    const given = shares.find(({ user_id }) => user_id === user.user.id);
    if (given) await owner.api.deleteShare({ params: { ...onMailbox(mailbox_id), id: given.id } });
  }

  async function threadAt({ of, which }: Drawn) {
    const { owner, mailbox_id } = homeAt(of);
    const thread = pick(await listAllThreads(owner.reader, { mailbox_id }), which);
    return thread && { owner, params: onThread(thread.id) };
  }

  const steps: Record<string, (step: Drawn) => Promise<unknown>> = {
    mail: (step) => deliver(step),
    reply: (step) => deliver(step, pick(mails, step.which)?.id),
    async again({ of, which }) {
      const mail = pick(mails, which);
      if (mail) await importMail(workspace, homeAt(of).owner, homeAt(of).mailbox_id, [mail.bytes]);
    },
    meeting: meet,
    move,
    async cancel({ which }) {
      const event = await eventAt(which);
      if (event) await unlessRefused(event.by.api.deleteCalendarEvent({ params: { id: event.id } }));
    },
    async invite({ which, who }) {
      const event = await eventAt(which);
      const share = { user_id: userAt(who).user.id };
      const params = { record_type: 'calendar_events' as const, record_id: event?.id ?? '' };
      if (event) await unlessRefused(event.by.api.createShare({ params, body: { share } }));
    },
    async addresses({ which, held, day }) {
      const at = pick(contacts, which);
      workspace.setTime(moment(day));
      const body = { contact: { email_addresses: entries(held) } };
      if (at) await unlessRefused(at.by.api.updateContact({ params: { id: at.id }, body }));
    },
    async visibility({ which, visibility }) {
      const at = pick(contacts, which);
      const body = { contact: { visibility } };
      if (at) await unlessRefused(at.by.api.updateContact({ params: { id: at.id }, body }));
    },
    access,
    async share(step) {
      const thread = await threadAt(step);
      const share = step.group ? { group_id: group.id } : { user_id: userAt(step.who).user.id };
      if (thread)
        await unlessRefused(thread.owner.api.createShare({ params: thread.params, body: { share } }));
    },
    async unshare(step) {
      const thread = await threadAt(step);
      if (!thread) return;
      const { owner, params } = thread;
      const [share] = (await owner.api.listShares({ params })).body.shares;
      if (share) await unlessRefused(owner.api.deleteShare({ params: { ...params, id: share.id } }));
    },
    async merge({ which, other }) {
      const [into, from] = [pick(contacts, which), pick(contacts, other)];
      if (!into || !from || into === from || contacts.length <= 3) return;
      const merging = mergeWhole(workspace, into.by, into.id, from.id);
      await unlessRefused(merging.then(() => contacts.splice(contacts.indexOf(from), 1)));
    },
    async delete({ which }) {
      const at = pick(contacts, which);
      if (!at || contacts.length <= 3) return;
      await at.by.api.deleteContact({ params: { id: at.id } });
      contacts.splice(contacts.indexOf(at), 1);
    },
  };

  async function take(step: Drawn): Promise<void> {
    workspace.setTime(new Date(START));
    await steps[step.kind]?.(step);
  }

  return { users, create, take };
}

/** By address: the last moment that the messages and meetings say which the API shows the user; they are not copies. */
export async function lastSeen(user: TestUser): Promise<Map<string, string>> {
  const last = new Map<string, string>();
  const hear = (address: string | null, moment: string | null) => {
    if (address !== null && moment !== null && moment > (last.get(address) ?? '')) last.set(address, moment);
  };
  for (const { id } of await listAllThreads(user.reader)) {
    const { thread } = (await user.reader.retrieveThread({ params: { id } })).body;
    for (const message of thread.messages ?? []) {
      const { from_email_address, to_email_addresses, cc_email_addresses } = message;
      for (const each of [from_email_address, ...to_email_addresses, ...cc_email_addresses])
        hear(each, message.sent_at);
    }
  }
  for (const event of await allEvents(user, { starts_after: new Date(START - 40 * DAY).toISOString() }))
    if (Date.parse(event.ends_at) <= NOW)
      for (const { email_address } of event.attendees) hear(email_address, event.starts_at);
  return last;
}
