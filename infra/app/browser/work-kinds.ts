import { type Body, call } from './api.ts';
import { refLink } from './blocks.ts';
import { between } from './detail.ts';
import { h, outside } from './dom.ts';
import { dateIn, dayAndTime, plural, short, size, span, title } from './format.ts';
import { nameOf, timeZoneOf } from './pane.ts';
import { link, type RecordKind } from './record-kind.ts';

/** Tasks, files and events. */

type Task = Body<'retrieveTask'>['task'];
type FileRecord = Body<'retrieveFile'>['file'];
type Event = Body<'retrieveCalendarEvent'>['calendar_event'];

/** The day of an all-day task is that of its assignee. */
const due = ({ due_at, all_day, assigned_user_id }: Task, time: (moment: string) => string) =>
  due_at && (all_day ? dateIn(due_at, timeZoneOf(assigned_user_id)) : time(due_at));

export const tasks: RecordKind<Task, Task> = {
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
  row: (task) => {
    const when = due(task, short);
    return {
      id: task.id,
      title: task.name,
      below: [task.refs.flatMap(({ label }) => label ?? []).join(', ')],
      marks: [
        ...(task.status === 'completed' ? ['Completed'] : []),
        ...(task.priority === 'high' ? ['High priority'] : []),
      ],
      ...(when ? { when } : {}),
    };
  },
  show: (task) => ({
    name: task.name,
    html: task.description,
    facts: [
      ['Due', due(task, dayAndTime)],
      ['Priority', task.priority && title(task.priority)],
      ['Assigned to', task.assigned_user_id && nameOf(task.assigned_user_id)],
      ['About', between(task.refs.map(refLink))],
      ['Completed', task.completed_at && dayAndTime(task.completed_at)],
    ],
  }),
};

export const files: RecordKind<FileRecord, FileRecord> = {
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

export const calendar_events: RecordKind<Event, Event> = {
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
