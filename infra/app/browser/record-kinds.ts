import { type Body, call } from './api.ts';
import { refLink } from './blocks.ts';
import { between } from './detail.ts';
import { type Child, h, outside } from './dom.ts';
import { date, dayAndTime, money, plural, short, size, span, title } from './format.ts';
import type { Row } from './list.ts';
import { nameOf } from './pane.ts';
import { placeOf, placeOfRecord } from './place.ts';

/** How each kind of records is listed, and what is shown of one. */

/** What all details share. */
export interface Shown {
  name: string;
  facts: [name: string, value: Child | Child[]][];
  text?: string | null;
  tags?: { name: string; color: string | null }[] | null;
  tasks?: { id: string; name: string; status: string }[] | null;
  /** Null where they are read apart. */
  comments?: Body<'listComments'>['comments'] | null;
}

type Item = Omit<Row, 'href'>;

export interface RecordKind<Listed extends { id: string } = { id: string }, One = unknown> {
  title: string;
  letter: string;
  slices: Record<string, string>;
  read(id: string): Promise<One>;
  row(record: Listed): Item;
  show(record: One): Shown;
  /** Tasks have none. */
  comments: boolean;
}

const link = (type: string, id: string | null | undefined, label: string): Child => {
  const href = placeOfRecord(type, id);
  return href ? h('a', { href }, label) : label;
};

type Contact = Body<'retrieveContact'>['contact'];
type Organization = Body<'retrieveOrganization'>['organization'];
type Deal = Body<'retrieveDeal'>['deal'];
type Task = Body<'retrieveTask'>['task'];
type FileRecord = Body<'retrieveFile'>['file'];
type Event = Body<'retrieveCalendarEvent'>['calendar_event'];

const threadsOf = (filter: string, id: string) =>
  h('a', { href: placeOf({ section: 'threads', query: { [filter]: id } }) }, 'Show its threads');

const custom = (fields: unknown): Shown['facts'] =>
  Object.entries((fields ?? {}) as Record<string, unknown>).map(([name, value]) => [
    title(name),
    Array.isArray(value) ? value.join(', ') : value === null ? null : String(value),
  ]);

const contacts: RecordKind<Contact, Contact> = {
  title: 'Contacts',
  letter: 'c',
  slices: {
    all: 'All',
    mine: 'Mine',
    pinned: 'Pinned',
    shared: 'Shared',
    recent: 'Recent',
    unemployed: 'Without employer',
  },
  comments: true,
  read: async (id) => (await call<'retrieveContact'>('GET', `/contacts/${id}`)).contact,
  row: ({ id, name, headline, employments, email_addresses, pinned, last_interaction_at }) => ({
    id,
    title: name,
    below: [
      headline ??
        employments.find(({ current }) => current)?.organization?.name ??
        email_addresses[0]?.email_address,
    ],
    marks: pinned ? ['Pinned'] : [],
    ...(last_interaction_at ? { when: short(last_interaction_at) } : {}),
  }),
  show: (contact) => ({
    ...contact,
    text: contact.description,
    facts: [
      ['Headline', contact.headline],
      [
        'Email',
        between(
          contact.email_addresses.map(({ email_address }) =>
            outside(`mailto:${email_address}`, email_address),
          ),
        ),
      ],
      [
        'Phone',
        between(
          contact.phone_numbers.map(({ phone_number }) => outside(`tel:${phone_number}`, phone_number)),
        ),
      ],
      [
        'Works at',
        between(
          contact.employments
            .filter(({ current }) => current)
            .map(({ title: job, organization }) =>
              h(
                'span',
                {},
                job,
                job && organization && ', ',
                organization && link('organization', organization.id, organization.name),
              ),
            ),
        ),
      ],
      ['Links', between(contact.links.map(({ url }) => outside(url)))],
      ['Birthday', contact.birthday && date(contact.birthday)],
      ...custom(contact.custom_fields),
      ['Last interaction', contact.last_interaction_at && dayAndTime(contact.last_interaction_at)],
      ['Threads', threadsOf('contact_id', contact.id)],
    ],
  }),
};

const organizations: RecordKind<Organization, Organization> = {
  title: 'Organizations',
  letter: 'o',
  slices: { all: 'All', mine: 'Mine', shared: 'Shared', recent: 'Recent' },
  comments: true,
  read: async (id) => (await call<'retrieveOrganization'>('GET', `/organizations/${id}`)).organization,
  row: ({ id, name, domains, industry, last_interaction_at }) => ({
    id,
    title: name,
    below: [industry ?? domains.join(', ')],
    ...(last_interaction_at ? { when: short(last_interaction_at) } : {}),
  }),
  show: (organization) => ({
    ...organization,
    text: organization.description,
    facts: [
      ['Industry', organization.industry],
      ['Domains', organization.domains.join(', ')],
      ['Web site', organization.website_url && outside(organization.website_url)],
      ['Employees', organization.employee_count],
      [
        'People',
        between(
          (organization.employments ?? []).flatMap(({ contact }) =>
            contact ? [link('contact', contact.id, contact.name)] : [],
          ),
        ),
      ],
      ['Open deals', organization.open_deal_count],
      ...custom(organization.custom_fields),
      ['Threads', threadsOf('organization_id', organization.id)],
    ],
  }),
};

const deals: RecordKind<Deal, Deal> = {
  title: 'Deals',
  letter: 'd',
  slices: { open: 'Open', won: 'Won', lost: 'Lost', mine: 'Mine', overdue: 'Overdue', shared: 'Shared' },
  comments: true,
  read: async (id) => (await call<'retrieveDeal'>('GET', `/deals/${id}`)).deal,
  row: ({ id, name, stage, amount, currency, organization, expected_close_on }) => ({
    id,
    title: name,
    below: [[money(amount, currency), organization?.name].filter(Boolean).join(', ')],
    marks: [stage.name],
    ...(expected_close_on ? { when: date(expected_close_on) } : {}),
  }),
  show: (deal) => ({
    ...deal,
    text: deal.description,
    facts: [
      ['Stage', deal.stage.name],
      ['Amount', money(deal.amount, deal.currency)],
      ['Probability', deal.probability === null ? null : `${deal.probability} %`],
      ['Expected to close', deal.expected_close_on && date(deal.expected_close_on)],
      [
        'Organization',
        deal.organization && link('organization', deal.organization.id, deal.organization.name),
      ],
      ['People', between(deal.contacts.map(({ id, name }) => link('contact', id, name)))],
      ['Assigned to', deal.assigned_user_id && nameOf(deal.assigned_user_id)],
      ['Lost because', deal.lost_reason],
      ...custom(deal.custom_fields),
    ],
  }),
};

const due = ({ due_at, all_day }: Task) =>
  due_at && (all_day ? date(due_at.slice(0, 10)) : dayAndTime(due_at));

const tasks: RecordKind<Task, Task> = {
  title: 'Tasks',
  letter: 't',
  slices: {
    open: 'Open',
    today: 'Today',
    overdue: 'Overdue',
    upcoming: 'Upcoming',
    unscheduled: 'Without a date',
    completed: 'Completed',
    assigned: 'Assigned to me',
    created: 'Created by me',
    shared: 'Shared',
  },
  comments: false,
  read: async (id) => (await call<'retrieveTask'>('GET', `/tasks/${id}`)).task,
  row: (task) => ({
    id: task.id,
    title: task.name,
    below: [task.refs.flatMap(({ label }) => label ?? []).join(', ')],
    marks: [
      ...(task.status === 'completed' ? ['Completed'] : []),
      ...(task.priority === 'high' ? ['High priority'] : []),
    ],
    ...(task.due_at ? { when: task.all_day ? date(task.due_at.slice(0, 10)) : short(task.due_at) } : {}),
  }),
  show: (task) => ({
    name: task.name,
    text: task.description,
    facts: [
      ['Due', due(task)],
      ['Priority', task.priority && title(task.priority)],
      ['Assigned to', task.assigned_user_id && nameOf(task.assigned_user_id)],
      ['About', between(task.refs.map(refLink))],
      ['Completed', task.completed_at && dayAndTime(task.completed_at)],
    ],
  }),
};

const files: RecordKind<FileRecord, FileRecord> = {
  title: 'Files',
  letter: 'f',
  slices: {
    all: 'All',
    mine: 'Mine',
    uploads: 'Uploads',
    attachments: 'Attachments',
    shared: 'Shared',
    recent: 'Recent',
  },
  comments: true,
  read: async (id) => (await call<'retrieveFile'>('GET', `/files/${id}`)).file,
  row: ({ id, name, size: bytes, source, created_at }) => ({
    id,
    title: name,
    below: [size(bytes)],
    marks: [title(source)],
    when: short(created_at),
  }),
  show: (file) => ({
    ...file,
    text: file.description,
    facts: [
      ['File name', file.file_name],
      ['Type', file.content_type],
      ['Size', size(file.size)],
      ['From', title(file.source)],
      ['Threads', between(file.thread_ids.map((id, i) => link('thread', id, `Thread ${i + 1}`)))],
      ['Added', dayAndTime(file.created_at)],
    ],
  }),
};

const calendar_events: RecordKind<Event, Event> = {
  title: 'Events',
  letter: 'e',
  slices: { upcoming: 'Upcoming', today: 'Today', week: 'This week', past: 'Past', shared: 'Shared' },
  comments: true,
  read: async (id) => (await call<'retrieveCalendarEvent'>('GET', `/calendar_events/${id}`)).calendar_event,
  row: (event) => ({
    id: event.id,
    title: event.name ?? 'Busy',
    from: span(event),
    below: [[event.location, plural(event.attendees.length, 'attendee')].filter(Boolean).join(', ')],
    marks: [
      ...(event.status === 'cancelled' ? ['Cancelled'] : []),
      ...(event.response_status ? [title(event.response_status)] : []),
    ],
  }),
  show: (event) => ({
    ...event,
    name: event.name ?? 'Busy',
    text: event.description,
    facts: [
      ['When', span(event)],
      ['Where', event.location],
      ['Call', event.conference_url && outside(event.conference_url)],
      [
        'Attendees',
        between(
          event.attendees.map(({ display_name, email_address, contact, response_status }) =>
            h(
              'span',
              {},
              link('contact', contact?.id, display_name ?? email_address),
              ` (${title(response_status).toLowerCase()})`,
            ),
          ),
        ),
      ],
      ['Your answer', event.response_status && title(event.response_status)],
    ],
  }),
};

const kinds = { contacts, organizations, deals, tasks, files, calendar_events };

/** By the name of their section, which is the path of their list. */
export const recordKinds = kinds as unknown as Record<keyof typeof kinds, RecordKind>;
