import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EventRecord } from '#shared/domain/calendar/calendar-events/event.ts';
import type { SpaceRecord } from '#shared/domain/crm/spaces/space.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import { givenAccount } from '../../../support/accounts.ts';
import { givenCalendar, givenEvent, shareMailbox } from '../../../support/events.ts';
import { questionsWith } from '../../../support/list-questions.ts';
import { long, rounds } from '../../../support/long.ts';
import { givenContact } from '../../../support/proposals.ts';
import { givenSpace, join } from '../../../support/spaces.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** Lists of events in both directions, against a model that works out all occurrences and sorts them. */

const ZONES = ['Europe/London', 'America/New_York', 'Asia/Tokyo'];
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Some days before the clocks change in London. */
const START = Date.UTC(2093, 2, 24, 11, 30);

/** Rules, and whether they name a day, counted from the first one. */
const rules: [rule: string, names: (day: number, first: Temporal.PlainDate) => boolean][] = [
  ['FREQ=DAILY;COUNT=6', (day) => day < 6],
  [
    'FREQ=DAILY;INTERVAL=3;UNTIL=20930405',
    (day, first) => day % 3 === 0 && first.add({ days: day }).toString() <= '2093-04-05',
  ],
  ['FREQ=WEEKLY', (day) => day % 7 === 0],
  [
    'FREQ=WEEKLY;BYDAY=TU,FR',
    (day, first) => day === 0 || [2, 5].includes(first.add({ days: day }).dayOfWeek),
  ],
  [
    'FREQ=MONTHLY;COUNT=3',
    // Months without such a day are left out (RFC 5545, 3.3.10).
    (day, first) =>
      [0, 1, 2, 3, 4]
        .map((months) => first.add({ months }))
        .filter((date) => date.day === first.day)
        .slice(0, 3)
        .some((date) => date.equals(first.add({ days: day }))),
  ],
];

const fields = fc.record({
  /** Hours from the beginning. */
  start: fc.integer({ min: -400, max: 400 }),
  hours: fc.constantFrom(1, 3, 24, 30, 900),
  zone: fc.constantFrom(...ZONES),
  rule: fc.option(fc.nat({ max: rules.length - 1 })),
  word: fc.constantFrom('Ferry', 'Harbour'),
  calendar: fc.nat(1),
  /** By their places in the addresses of the world; the first one is a user. */
  invited: fc.subarray([0, 1, 2]),
  private: fc.nat({ max: 5 }).map((n) => n === 0),
});
type Fields = typeof fields extends fc.Arbitrary<infer T> ? T : never;

const kind = <K extends string>(name: K) => ({ kind: fc.constant(name) });
const which = fc.nat();
const scope = fc.constantFrom('this' as const, 'following' as const, 'all' as const);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ ...kind('create'), fields }) },
  { weight: 3, arbitrary: fc.record({ ...kind('move'), which, hours: fc.integer({ min: -60, max: 60 }) }) },
  { weight: 2, arbitrary: fc.record({ ...kind('delete'), which, scope }) },
  { weight: 3, arbitrary: fc.record({ ...kind('tag'), which, tag: fc.nat(1) }) },
  { weight: 2, arbitrary: fc.record({ ...kind('share'), which }) },
  { weight: 3, arbitrary: fc.record({ ...kind('rename'), which, scope }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const question = questionsWith({
  slice: fc.constantFrom(
    'today' as const,
    'week' as const,
    'upcoming' as const,
    'past' as const,
    'shared' as const,
  ),
  after: fc.integer({ min: -400, max: 400 }),
  before: fc.integer({ min: -400, max: 9_000 }),
  query: fc.constantFrom('ferry', 'harb', 'other'),
  participant: fc.nat(2),
  contact: fc.nat(1),
  organization: fc.constant(true),
  space: fc.nat(2),
  tags: fc.constantFrom([0], [1], [0, 1], [0, 1]),
  tag_operator: fc.constantFrom('any' as const, 'all' as const),
  calendar: fc.nat(1),
  mailbox: fc.nat(1),
});
type Question = typeof question extends fc.Arbitrary<infer T> ? T : never;

/** An event of the model: a single one, or an occurrence. */
interface Known {
  label: string;
  /** How the service finds it. */
  series_id: string | null;
  id: string | null;
  original: number;
  start: number;
  end: number;
  calendar: number;
  invited: number[];
  private: boolean;
  tags: Set<number>;
  shared: boolean;
  /** Its name is not that of its series. */
  renamed: boolean;
}

const iso = (moment: number) => new Date(moment).toISOString();

function occurrencesOf({ start, zone, rule }: Fields): number[] {
  const first = START + start * HOUR;
  if (rule === null) return [first];
  const local = Temporal.Instant.fromEpochMilliseconds(first).toZonedDateTimeISO(zone).toPlainDateTime();
  const [, names] = rules[rule] as (typeof rules)[number];
  return Array.from({ length: 500 }, (_, day) => day)
    .filter((day) => names(day, local.toPlainDate()))
    .map((days) => local.add({ days }).toZonedDateTime(zone).epochMilliseconds);
}

/** Contacts with the first two addresses, the second one of an organization with the domain of the third; and spaces. */
async function peopleAround(owner: TestUser, addresses: string[], tag_ids: string[]) {
  const [, , other = ''] = addresses;
  const domains = [other.slice(other.indexOf('@') + 1)];
  const { organization } = (
    await owner.api.createOrganization({ body: { organization: { name: 'Harbour', domains } } })
  ).body;
  const contact_ids: string[] = [];
  for (const [i, email_address] of addresses.slice(0, 2).entries()) {
    const employments = i === 1 ? [{ organization: { id: organization.id } }] : [];
    const contact = await givenContact(owner, { email_addresses: [{ email_address }], employments });
    contact_ids.push(contact.id);
  }
  const spaces = [
    await givenSpace(owner),
    await givenSpace(owner),
    await givenSpace(owner, { kind: 'tags', tag_ids }),
  ];
  const [ofContact, ofOrganization] = spaces as [SpaceRecord, SpaceRecord];
  await join(owner, ofContact.id, { contact_id: contact_ids[0] as string });
  await join(owner, ofOrganization.id, { organization_id: organization.id });
  return { contact_ids, organization_id: organization.id, space_ids: spaces.map(({ id }) => id) };
}

const QUESTIONS = long ? 17 : 7;

describe('lists of events', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(async () => {
    workspace.setTime(undefined);
    await workspace.stop();
  });

  async function world() {
    workspace.setTime(new Date(START));
    const users = (await givenAccount(workspace, 3)) as [TestUser, TestUser, TestUser];
    for (const [i, { user }] of users.entries())
      await workspace.table.update<User>(keys.user(user.account_id, user.id), {
        set: { time_zone: ZONES[i] as string },
      });
    const [owner, reader, guest] = users;
    const calendars = [await givenCalendar(workspace, owner), await givenCalendar(workspace, owner)];
    for (const { mailbox_id } of calendars) await shareMailbox(owner, mailbox_id, reader);
    const tag_ids = await Promise.all(
      ['One', 'Two'].map(
        async (name) => (await owner.api.createTag({ body: { tag: { name } } })).body.tag.id,
      ),
    );
    const addresses = [guest.user.email_address, 'pat@ferries.example', 'info@harbour.example'];
    const beside = await peopleAround(owner, addresses, tag_ids);
    let known: Known[] = [];
    let number = 0;

    const sees = ({ invited, shared }: Known, i: number) => i < 2 || invited.includes(0) || shared;
    /** Filters that only those may ask by who see what an event is about. */
    const isDetailed = ({ query, participant, contact, organization, space, tags }: Question) =>
      [query, participant, contact, organization, space, tags].some((each) => each !== undefined);

    /**
     * The first contact has the first address, the second one works at the organization of the third, which spaces do
     * not know: they have the addresses of people, and no domains.
     */
    function isAbout(event: Known, asked: Question): boolean {
      const { query, participant, contact, organization, space, tags, tag_operator } = asked;
      const invites = (...some: number[]) => some.some((place) => event.invited.includes(place));
      const carried = tags?.filter((place) => event.tags.has(place)).length ?? 0;
      return (
        (query === undefined || words(event).some((word) => word.startsWith(query))) &&
        (participant === undefined || invites(participant)) &&
        (contact === undefined || invites(contact)) &&
        (!organization || invites(1, 2)) &&
        (space === undefined || [invites(0), invites(1), event.tags.size > 0][space] === true) &&
        (tags === undefined || (tag_operator === 'all' ? carried === tags.length : carried > 0))
      );
    }

    const words = ({ label }: Known) => label.toLowerCase().split(' ');
    const details = (event: Known, i: number) => i === 0 || !event.private;

    async function idOf(event: Known): Promise<string> {
      if (event.id !== null) return event.id;
      // One that was moved is elsewhere, and has another id in a new series.
      const far = event.start === event.original ? 0 : 30 * DAY;
      const [starts_after, starts_before] = [iso(event.original - far), iso(event.original + far + 1)];
      const query = { starts_after, starts_before, limit: 250 };
      const { records } = (await owner.reader.listCalendarEvents({ query: query as never })).body.collection;
      const found = records.find(
        ({ recurring_event_id, original_starts_at }) =>
          recurring_event_id === event.series_id && original_starts_at === iso(event.original),
      );
      event.id = found?.id as string;
      return event.id;
    }

    async function create(sent: Fields) {
      const label = `${sent.word} ${number++}`;
      const [first, ...others] = occurrencesOf(sent);
      // Its rule ends before it begins.
      if (first === undefined) return;
      const event = await givenEvent(owner, calendars[sent.calendar]?.calendar_id as string, {
        ...{
          name: label,
          starts_at: iso(first),
          ends_at: iso(first + sent.hours * HOUR),
          private: sent.private,
        },
        ...(sent.rule === null ? {} : { recurrence: [rules[sent.rule]?.[0]], time_zone: sent.zone }),
        attendees: sent.invited.map((place) => ({ email_address: addresses[place] as string })),
      });
      const { calendar, invited } = sent;
      const common = { label, calendar, invited, private: sent.private, shared: false, renamed: false };
      const made = [first, ...others].map((start) => ({
        ...common,
        tags: new Set<number>(),
        ...{ series_id: sent.rule === null ? null : event.id, id: sent.rule === null ? event.id : null },
        ...{ original: start, start, end: start + sent.hours * HOUR },
      }));
      known.push(...made);
    }

    const change = async (id: string, calendar_event: object, scope = 'this') =>
      (await owner.api.updateCalendarEvent({ params: { id }, body: { calendar_event, scope } as never })).body
        .calendar_event;

    /** What a scope names. */
    const inScope = (event: Known, scope: 'this' | 'following' | 'all') =>
      scope === 'this' || event.series_id === null
        ? [event]
        : known.filter(
            ({ series_id, original }) =>
              series_id === event.series_id && (scope === 'all' || original >= event.original),
          );

    async function rename(event: Known, scope: 'this' | 'following' | 'all'): Promise<void> {
      const some = inScope(event, scope);
      const label = `Other ${event.label}`;
      // Tags and shares of its occurrences stay with the old series.
      const isTied = ({ tags, shared }: Known) => tags.size > 0 || shared;
      if (scope === 'following' && some.some(isTied)) return;
      const { recurring_event_id } = await change(await idOf(event), { name: label }, scope);
      const another = scope === 'following' && event.series_id !== recurring_event_id;
      for (const each of some) {
        if (another) Object.assign(each, { series_id: recurring_event_id, id: null });
        if (scope === 'this' || !each.renamed) each.label = label;
        if (scope === 'this') each.renamed = each.series_id !== null;
      }
    }

    async function take(next: Step): Promise<void> {
      if (next.kind === 'create') return create(next.fields);
      // The first ones: nobody tells the others of a series apart.
      const some = known.filter((event) => event.start < START + 60 * DAY);
      const event = some[next.which % Math.max(1, some.length)];
      if (!event) return;
      const id = await idOf(event);
      const record = { record_type: 'calendar_events' as const, record_id: id };
      if (next.kind === 'delete') {
        await owner.api.deleteCalendarEvent({ params: { id }, query: { scope: next.scope } });
        const gone = new Set(inScope(event, next.scope));
        known = known.filter((each) => !gone.has(each));
      } else if (next.kind === 'tag') {
        await owner.api.applyTag({ params: record, body: { tag_id: tag_ids[next.tag] as string } });
        event.tags.add(next.tag);
      } else if (next.kind === 'share') {
        await owner.api.createShare({ params: record, body: { share: { user_id: guest.user.id } } });
        event.shared = true;
      } else if (next.kind === 'rename') {
        await rename(event, next.scope);
      } else {
        const [start, end] = [event.start, event.end].map((moment) => moment + next.hours * HOUR);
        await change(id, { starts_at: iso(start as number), ends_at: iso(end as number) });
        Object.assign(event, { start, end });
      }
    }

    function queryOf(asked: Question) {
      const { slice, query, after, before, participant, contact, organization, space, tags } = asked;
      const { tag_operator, calendar, mailbox } = asked;
      const sent = {
        slice,
        query,
        tag_operator,
        starts_after: after === undefined ? undefined : iso(START + after * HOUR),
        starts_before: before === undefined ? undefined : iso(START + before * HOUR),
        participant: participant === undefined ? undefined : addresses[participant],
        contact_id: contact === undefined ? undefined : beside.contact_ids[contact],
        organization_id: organization && beside.organization_id,
        space_id: space === undefined ? undefined : beside.space_ids[space],
        tags: tags?.map((place) => tag_ids[place]).join(','),
        calendar_id: calendar === undefined ? undefined : calendars[calendar]?.calendar_id,
        mailbox_id: mailbox === undefined ? undefined : calendars[mailbox]?.mailbox_id,
      };
      return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
    }

    function windowOf({ slice, after, before }: Question, i: number) {
      const zone = ZONES[i] as string;
      const today = Temporal.Instant.fromEpochMilliseconds(START).toZonedDateTimeISO(zone).startOfDay();
      const monday = today.subtract({ days: today.dayOfWeek - 1 });
      let from = after === undefined ? Number.NEGATIVE_INFINITY : START + after * HOUR;
      let to = before === undefined ? Number.POSITIVE_INFINITY : START + before * HOUR;
      const at = (clock: Temporal.ZonedDateTime) => clock.epochMilliseconds;
      if (slice === 'today')
        [from, to] = [Math.max(from, at(today)), Math.min(to, at(today.add({ days: 1 })))];
      if (slice === 'week')
        [from, to] = [Math.max(from, at(monday)), Math.min(to, at(monday.add({ days: 7 })))];
      if (slice === 'upcoming') from = Math.max(from, START);
      if (slice === 'past') from = Math.max(from, START - 365 * DAY);
      return { from, to };
    }

    /** What is before the first page, and what is on it and after. */
    function expected(asked: Question, i: number): { before: Known[]; after: Known[] } {
      const { from, to } = windowOf(asked, i);
      const { slice, calendar, mailbox } = asked;
      const begins =
        slice === undefined || slice === 'shared'
          ? asked.after === undefined && asked.before === undefined
            ? START
            : from
          : from;
      const horizon =
        to < Number.POSITIVE_INFINITY
          ? to
          : Date.UTC(new Date(Math.max(begins, -1e14)).getUTCFullYear() + 1, ...rest(begins));
      const found = known.filter(
        (event) =>
          sees(event, i) &&
          (!isDetailed(asked) || details(event, i)) &&
          isAbout(event, asked) &&
          (calendar === undefined || event.calendar === calendar) &&
          (mailbox === undefined || event.calendar === mailbox) &&
          (slice !== 'shared' || (i === 2 && event.shared)) &&
          event.start < to &&
          (event.series_id === null || event.start < horizon),
      );
      if (slice === 'past')
        return { before: [], after: found.filter(({ end }) => end > from && end <= START) };
      const after = found.filter(({ end }) => end > begins);
      const goesBack = (slice === undefined || slice === 'shared') && begins > Number.NEGATIVE_INFINITY;
      return { before: goesBack ? found.filter(({ end }) => end <= begins) : [], after };
    }

    async function pages(i: number, query: object, limit: number) {
      const { reader } = users[i] as TestUser;
      const page = async (cursor: object) =>
        (await reader.listCalendarEvents({ query: { ...query, limit, ...cursor } as never })).body.collection;
      const first = await page({});
      const after: EventRecord[] = [...first.records];
      let back = first;
      for (let next = first.page_info.next_cursor; next !== null; ) {
        back = await page({ next_cursor: next });
        after.push(...back.records);
        next = back.page_info.next_cursor;
      }
      const before: EventRecord[] = [];
      for (let prev = first.page_info.prev_cursor; prev !== null; ) {
        const { records, page_info } = await page({ prev_cursor: prev });
        before.unshift(...records);
        prev = page_info.prev_cursor;
      }
      // From the last page back to the beginning.
      const all: EventRecord[] = [...back.records];
      for (let prev = back.page_info.prev_cursor; prev !== null; ) {
        const { records, page_info } = await page({ prev_cursor: prev });
        all.unshift(...records);
        prev = page_info.prev_cursor;
      }
      return { before, after, all };
    }

    async function check(i: number, asked: Question, limit: number): Promise<void> {
      const wanted = expected(asked, i);
      const query = queryOf(asked);
      const found = await pages(i, query, limit);
      const context = JSON.stringify([i, limit, asked, query]);
      const named = (event: Known) => `${iso(event.start)} ${details(event, i) ? event.label : null}`;
      const shown = ({ starts_at, name }: EventRecord) => `${starts_at} ${name}`;
      const order = asked.slice === 'past' ? -1 : 1;
      for (const side of ['before', 'after'] as const) {
        expect(found[side].map(shown).sort(), context).toEqual(wanted[side].map(named).sort());
        const places = found[side].map(({ starts_at, id }) => `${starts_at} ${id}`);
        expect(places, context).toEqual(places.toSorted((a, b) => (a < b ? -order : order)));
      }
      expect(found.all.map(shown), context).toEqual([...found.before, ...found.after].map(shown));
    }

    return { take, check };
  }

  /** The rest of a date a year later. */
  const rest = (moment: number): [number, number, number, number] => {
    const date = new Date(Math.max(moment, -1e14));
    return [date.getUTCMonth(), date.getUTCDate(), date.getUTCHours(), date.getUTCMinutes()];
  };

  it('have the same events as a list of all, in the same order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 4, maxLength: 12 }),
        fc.array(fc.tuple(question, fc.integer({ min: 4, max: 60 })), {
          minLength: QUESTIONS,
          maxLength: QUESTIONS,
        }),
        async (steps, questions) => {
          const { take, check } = await world();
          for (const next of steps) await take(next);
          for (const [i, [asked, limit]] of questions.entries()) {
            // The guest does not see the calendars.
            const isPlace = asked.calendar !== undefined || asked.mailbox !== undefined;
            await check(i % (isPlace ? 2 : 3), asked, limit);
          }
        },
      ),
      // A thousand questions in the long tests.
      { numRuns: rounds(1, 60), endOnFailure: true },
    );
  }, 1_200_000);
});
