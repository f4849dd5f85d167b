import type { DemoRecords } from './records.ts';

const hammocks = 'Hammocks for the third floor';
const visit = 'Site visit: the car park behind the dam';

const noContact = { company: '', job_title: '', phone_number: null, note: null, created_by: 'hank' } as const;

/** The second account: a little of everything. */
export const globexRecords: DemoRecords = {
  organizations: [
    {
      name: 'Slow Swing Hammocks',
      domain: 'slowswing.example',
      industry: 'Hammocks',
      industry_before: 'Ropes',
      created_by: 'hank',
    },
    { name: 'Town of Cypress Creek', domain: 'cypresscreek.example', industry: 'Towns', created_by: 'hank' },
  ],
  contacts: [
    {
      ...noContact,
      name: 'Rosalind Achebe',
      first_name: 'Rosalind',
      last_name: 'Achebe',
      company: 'Slow Swing Hammocks',
      job_title: 'Owner',
      email_addresses: ['rosalind@slowswing.example'],
      note: 'Ties every knot herself.',
      headline: 'Owner, and judge of knots',
    },
    {
      ...noContact,
      name: 'Felix Ortega',
      first_name: 'Felix',
      last_name: 'Ortega',
      company: 'Town of Cypress Creek',
      job_title: 'Planning desk',
      email_addresses: ['felix.ortega@cypresscreek.example'],
      also: 'Ortega at the planning desk',
    },
    {
      ...noContact,
      name: 'Achebe, Rosalind',
      first_name: 'Rosalind',
      last_name: 'Achebe',
      company: 'Slow Swing Hammocks',
      job_title: '',
      email_addresses: ['rosalind@achebe.example'],
      created_by: 'mindy',
    },
  ],
  tags: [
    { name: 'Building', color: '#7d6608' },
    { name: 'Comfort', color: '#af7ac5' },
  ],
  taggings: [
    { thread_subject: hammocks, tag: 'Comfort' },
    { thread_subject: visit, tag: 'Building' },
  ],
  contact_taggings: [{ contact_name: 'Felix Ortega', tag: 'Building' }],
  comments: [
    {
      thread_subject: hammocks,
      author: 'hank',
      html_content:
        '<p>@Mindy Simmons thirty-one, please. Somebody always asks later, and it is usually me.</p>',
      mentions: ['mindy'],
      reactions: [{ by: 'mindy', text: '🌴' }],
    },
    {
      thread_subject: hammocks,
      author: 'mindy',
      html_content: '<p>@Hank Scorpio thirty-one it is. I will tell her on Monday.</p>',
      mentions: ['hank'],
      answers: true,
    },
  ],
  contact_comments: [
    {
      contact_name: 'Felix Ortega',
      author: 'hank',
      html_content: '<p>Takes his coffee black, and his drawings to scale.</p>',
    },
  ],
  organization_comments: [
    {
      organization_name: 'Town of Cypress Creek',
      author: 'mindy',
      html_content: '<p>The planning desk opens at ten, and closes for lunch at eleven.</p>',
    },
  ],
  flags: [{ thread_subject: visit, user: 'hank' }],
  snoozes: [],
  mistakes: { by: 'hank', name: 'Deleted by mistake' },
  pins: [{ contact_name: 'Rosalind Achebe', user: 'hank' }],
  resolutions: [],
  drafts: [{ by: 'hank', answers_thread: hammocks, body: 'Thirty-one, and a spare hook for each.' }],
  milestones: [{ name: 'Doors open', by: 'hank', days: 60, shared_with: 'mindy' }],
  spaces: [
    {
      name: 'The new building',
      by: 'hank',
      icon: '🏗️',
      tags: ['Building'],
      comment: { author: 'mindy', html_content: '<p>With hammocks, please.</p>' },
      shared_with: 'mindy',
    },
  ],
  tasks: [
    { name: 'Sharpen the pencils', by: 'hank', days: 1, reminders: [60], shared_with: 'mindy' },
    { name: 'Find the pencils', by: 'hank', days: 0, completed: true },
  ],
  events: [
    {
      name: 'Look at the car park',
      by: 'hank',
      hours: 5,
      length: 1,
      recurrence: ['RRULE:FREQ=MONTHLY'],
    },
    {
      name: 'Try the hammocks',
      by: 'hank',
      hours: 30,
      shared_with: 'mindy',
      reminders: [10],
      comment: { author: 'hank', html_content: '<p>Shoes off, please.</p>' },
    },
  ],
  tables: [
    {
      by: 'hank',
      file_name: 'henchmen.csv',
      record_type: 'tasks',
      lines: ['Task,Due Date', 'Order more turtlenecks,2027-01-15'],
      dry_run: true,
    },
    {
      by: 'hank',
      file_name: 'volcano.ics',
      record_type: 'calendar_events',
      lines: [
        'BEGIN:VCALENDAR',
        ...['BEGIN:VEVENT', 'UID:volcano@globex.example', 'SUMMARY:Volcano inspection'],
        ...['DTSTART;VALUE=DATE:20270111', 'END:VEVENT'],
        'END:VCALENDAR',
      ],
      dry_run: false,
    },
  ],
  uploads: [
    {
      file_name: 'car-park-from-above.pdf',
      heading: 'Car park, from above',
      lines: ['It is mostly cars.'],
      by: 'hank',
      shared_with: 'mindy',
      comment: { author: 'mindy', html_content: '<p>Which one is ours?</p>' },
    },
  ],
  deals: [
    {
      name: 'Car park with a view',
      by: 'hank',
      stage: 'Tender',
      amount: 90_000,
      raised_to: 94_500,
      closes_in: 40,
      organization_name: 'Town of Cypress Creek',
      custom_fields: { floors: 7 },
      shared_with: 'mindy',
      comment: { author: 'mindy', html_content: '<p>The view is of the other car park.</p>' },
    },
  ],
  groups: [
    {
      name: 'Third floor',
      description: 'Thinks better lying down.',
      created_by: 'hank',
      members: ['hank', 'mindy'],
    },
  ],
  custom_fields: [
    { record_type: 'deals', key: 'floors', name: 'Floors', type: 'number', indexed: true },
    { record_type: 'organizations', key: 'supplier', name: 'Supplies us', type: 'boolean' },
  ],
  pipelines: [
    {
      name: 'Site work',
      currency: 'USD',
      stages: [
        { name: 'Site visit', probability: 20 },
        { name: 'Tender', probability: 60 },
        { name: 'Awarded', kind: 'won' },
        { name: 'Withdrawn', kind: 'lost' },
      ],
    },
  ],
  shares: [
    { by: 'hank', organization_name: 'Slow Swing Hammocks', with: { user: 'mindy' }, access: 'view' },
    { by: 'hank', with: { group: 'Third floor' }, access: 'view' },
    { by: 'hank', with: { user: 'mindy' }, access: 'edit' },
    { by: 'hank', thread_subject: hammocks, with: { user: 'mindy' }, access: 'edit' },
    { by: 'hank', contact_name: 'Felix Ortega', with: { user: 'mindy' }, access: 'view' },
  ],
  // Everybody reads the one mailbox.
  share_requests: [],
  mailed: [{ by: 'hank', events: ['comment_added'] }],
  devices: [{ by: 'hank', name: 'Red telephone', app_version: '4.1.7' }],
  agents: [
    { by: 'hank', agent_slug: 'auto_task', mode: 'suggest', instructions: null },
    { by: 'hank', agent_slug: 'auto_deal', mode: 'suggest', instructions: null },
  ],
  conversations: [{ by: 'hank', title: 'The site visit', questions: ['Who is Felix Ortega?'] }],
  requests: [
    { by: 'hank', on: { thread_subject: visit }, text: 'Tag this as Car park' },
    {
      by: 'hank',
      on: { thread_subject: visit },
      text: 'Draft a reply saying: We look forward to it.',
      answer: 'accept',
    },
  ],
  briefed: ['hank'],
  enriched: [],
  damaged_archives: [],
  tidied: [],
};
