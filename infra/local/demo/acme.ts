import { demoTwins } from './contacts.ts';
import { demoComments, demoContacts, demoFlags, demoTaggings, demoTags } from './notes.ts';
import { demoOrganizations } from './organizations.ts';
import type { DemoRecords } from './records.ts';

/** The first account, where most of the demo happens. */
export const acmeRecords: DemoRecords = {
  organizations: demoOrganizations,
  contacts: [...demoContacts, ...demoTwins],
  tags: demoTags,
  taggings: demoTaggings,
  contact_taggings: [
    { contact_name: 'Priya Raghunathan', tag: 'Customers' },
    { contact_name: 'Tom Abernathy', tag: 'Customers' },
    { contact_name: 'Jürgen Krämer', tag: 'Suppliers' },
    { contact_name: 'Noémie Lefèvre', tag: 'Hiring' },
  ],
  comments: demoComments,
  contact_comments: [
    {
      contact_name: 'Priya Raghunathan',
      author: 'grace',
      html_content: '<p>Prefers the telephone after four, when the last ferry is in.</p>',
    },
  ],
  organization_comments: [
    {
      organization_name: 'Bellwether Ferries',
      author: 'linus',
      html_content: '<p>Their dry dock is free in March, and only then.</p>',
    },
  ],
  flags: demoFlags,
  snoozes: [
    { thread_subject: 'Are we too cheap?', user: 'ada', days: 2 },
    { thread_subject: 'Сравнение датчиков: предварительные результаты', user: 'grace', days: 5 },
  ],
  mistakes: { by: 'ada', name: 'Deleted by mistake' },
  pins: [
    { contact_name: 'Priya Raghunathan', user: 'ada' },
    { contact_name: 'Wren Ashdown', user: 'ada' },
    { contact_name: 'Jürgen Krämer', user: 'grace' },
  ],
  resolutions: [
    { thread_subject: 'The boiler at the Old Chapel', user: 'ada' },
    { thread_subject: 'The office fern is not well', user: 'ada' },
    { thread_subject: 'Your berth is confirmed (7Q2XK)', user: 'grace' },
  ],
  drafts: [
    {
      by: 'ada',
      answers_thread: 'Forty Limpets for the fleet',
      body: 'Forty it is. I will bring them myself, if you can lend me a trolley.',
    },
    {
      by: 'ada',
      to: ['tom.abernathy@bellwether.example'],
      subject: 'The dry dock in March',
      body: 'Dear Tom,\n\nwould the second week suit you? We need two days, and one crane.',
    },
  ],
  milestones: [
    { name: 'Winter refit', by: 'ada', days: 30, organization_name: 'Bellwether Ferries' },
    { name: 'A quieter office', by: 'ada', days: null, shared_with: 'grace' },
    { name: 'First ferry fitted', by: 'linus', days: -40, status: 'reached' },
  ],
  spaces: [
    {
      name: 'Bellwether account',
      by: 'ada',
      icon: '⛴️',
      contact_names: ['Tom Abernathy'],
      organization_names: ['Bellwether Ferries'],
      comment: { author: 'grace', html_content: '<p>Everything about the fleet, in one place.</p>' },
    },
    { name: 'Our suppliers', by: 'linus', icon: '📦', tags: ['Suppliers'] },
    { name: 'A surprise for Linus', by: 'ada', icon: '🎂', shared_with: 'grace' },
  ],
  tasks: [
    { name: 'Draw the winch', by: 'grace', days: 3, space: 'Bellwether account' },
    { name: 'Call Priya about the winch', by: 'ada', days: 0, about: { contact_name: 'Priya Raghunathan' } },
    {
      name: 'Order the limpets',
      by: 'ada',
      days: -2,
      about: { thread_subject: 'Forty Limpets for the fleet' },
      milestone: 'Winter refit',
    },
    { name: 'Measure the hull', by: 'grace', days: null, milestone: 'Winter refit', completed: true },
    { name: 'Paint the bollards', by: 'ada', days: 5, reminders: [1_440], shared_with: 'grace' },
    { name: 'Learn to juggle', by: 'ada', days: null, completed: true },
    { name: 'Find a quieter boiler', by: 'grace', days: null, assigned: 'ada' },
  ],
  tables: [
    {
      by: 'grace',
      file_name: 'fair-visitors.csv',
      record_type: 'contacts',
      lines: [
        'Name,E-mail,Company,Notes',
        'Ottoline Brandt,ottoline@paddlewheel.example,Paddlewheel & Daughters,Wants to see a limpet move',
        'Cornelius Abara,cornelius@paddlewheel.example,Paddlewheel & Daughters,',
        'Illegible,ink spot,,Ask Linus what it says',
      ],
      dry_run: true,
    },
    {
      by: 'ada',
      file_name: 'tides.ics',
      record_type: 'calendar_events',
      lines: [
        'BEGIN:VCALENDAR',
        'VERSION:2.0',
        ...['BEGIN:VEVENT', 'UID:tides-1@harbour.example', 'SUMMARY:Spring tide', 'LOCATION:The slipway'],
        ...['DTSTART;TZID=GMT Standard Time:20260301T060000', 'DURATION:PT2H'],
        ...['RRULE:FREQ=WEEKLY;INTERVAL=2', 'END:VEVENT'],
        'END:VCALENDAR',
      ],
      dry_run: false,
    },
  ],
  uploads: [
    {
      file_name: 'limpet-price-list.pdf',
      heading: 'Limpets, by the dozen',
      lines: ['Small: 12.00', 'Medium: 18.00', 'Large: ask first'],
      by: 'ada',
      description: 'The one for this year. Large is still not decided.',
      organization_name: 'Bellwether Ferries',
      tag: 'Customers',
      comment: { author: 'grace', html_content: '<p>I would not ask first. I would ask last.</p>' },
    },
    {
      file_name: 'boiler-temperatures.csv',
      heading: 'Boiler',
      lines: ['day,degrees', 'Monday,61', 'Tuesday,60', 'Wednesday,hiss'],
      by: 'ada',
      shared_with: 'grace',
    },
  ],
  deals: [
    {
      name: 'Limpets for the whole fleet',
      by: 'ada',
      stage: 'Quoted',
      amount: 18_400,
      closes_in: 20,
      organization_name: 'Bellwether Ferries',
      contact_name: 'Tom Abernathy',
      custom_fields: { hull: 'steel', order_number: 'LF-0042' },
      shared_with: 'grace',
      comment: {
        author: 'linus',
        html_content: '<p>They asked twice whether the clips rust. They do not.</p>',
      },
    },
    {
      name: 'Winch trial',
      by: 'ada',
      stage: 'Sea trial',
      amount: 2_750.5,
      raised_to: 2_980.5,
      closes_in: -3,
      assigned: 'grace',
      contact_name: 'Priya Raghunathan',
    },
    { name: 'Spare clips', by: 'grace', stage: 'Signed', amount: 640, closes_in: -12 },
    {
      name: 'A limpet for the duck pond',
      by: 'linus',
      stage: 'Sank',
      amount: 15,
      closes_in: -30,
      lost_reason: 'The ducks preferred a rope.',
    },
  ],
  events: [
    {
      name: 'Monday at the slipway',
      by: 'ada',
      hours: 0,
      invites: ['grace@acme.example', 'linus@acme.example'],
      recurrence: ['RRULE:FREQ=WEEKLY'],
      location: 'Slipway',
    },
    {
      name: 'Sea trial with Bellwether',
      by: 'ada',
      hours: 26,
      length: 3,
      invites: ['grace@acme.example'],
      location: 'Pier 3',
      comment: { author: 'grace', html_content: '<p>Bring a dry coat.</p>' },
    },
    { name: 'Dentist', by: 'ada', hours: 50, private: true, invites: ['grace@acme.example'] },
    { name: 'Tea with the harbour master', by: 'ada', hours: 74, shared_with: 'linus', reminders: [15] },
    {
      name: 'Did the clips rust?',
      by: 'ada',
      hours: -48,
      transcript: [
        'Did the clips rust?',
        'They did not.',
        'Then we are done. I will send the result to Priya on Friday.',
      ],
    },
  ],
  groups: [
    {
      name: 'Fitting crew',
      description: 'Goes on board, with boots that grip.',
      created_by: 'grace',
      members: ['grace', 'linus'],
    },
    {
      name: 'Front office',
      description: 'Answers mail from outside.',
      created_by: 'ada',
      members: ['ada', 'grace'],
    },
  ],
  custom_fields: [
    {
      ...{ record_type: 'deals', key: 'hull', name: 'Kind of hull', type: 'select', indexed: true },
      options: [
        { value: 'steel', name: 'Steel' },
        { value: 'oak', name: 'Oak, or what is left of it' },
      ],
    },
    { record_type: 'deals', key: 'order_number', name: 'Order number', type: 'text', unique: true },
    { record_type: 'contacts', key: 'sails_since', name: 'Sails since', type: 'date' },
  ],
  pipelines: [
    {
      name: 'Fleet orders',
      currency: 'GBP',
      stages: [
        { name: 'Enquiry', probability: 10, color: '#aeb6bf' },
        { name: 'Sea trial', probability: 40, color: '#2e86c1' },
        { name: 'Quoted', probability: 70, color: '#7d6608' },
        { name: 'Signed', kind: 'won', color: '#1e8449' },
        { name: 'Sank', kind: 'lost' },
      ],
    },
  ],
  shares: [
    { by: 'ada', organization_name: 'Plumb & Sons', with: { user: 'linus' }, access: 'view' },
    { by: 'linus', with: { user: 'grace' }, access: 'edit' },
    {
      by: 'grace',
      thread_subject: 'Housing, second version: where do the clips go?',
      with: { user: 'linus' },
      access: 'edit',
    },
    { by: 'ada', thread_subject: 'The quiet hour in north-2', with: { user: 'linus' }, access: 'edit' },
    {
      by: 'ada',
      thread_subject: '工場見学のお礼と試験結果のご報告',
      with: { user: 'linus' },
      access: 'view',
    },
    {
      by: 'ada',
      thread_subject: 'Forty Limpets for the fleet',
      with: { group: 'Fitting crew' },
      access: 'edit',
    },
    { by: 'grace', contact_name: 'Tomás Iglesias', with: { user: 'linus' }, access: 'view' },
    { by: 'ada', contact_name: 'Noémie Lefèvre', with: { group: 'Front office' }, access: 'edit' },
  ],
  share_requests: [
    {
      by: 'linus',
      of: 'ada',
      thread_subject: 'Are we too cheap?',
      message: 'I am to write the price list. May I read what was said?',
    },
    {
      by: 'linus',
      of: 'grace',
      thread_subject: 'Your berth is confirmed (7Q2XK)',
      message: null,
      denied: true,
    },
  ],
  mailed: [{ by: 'grace', events: ['task_assigned', 'comment_mentioned'] }],
  devices: [{ by: 'grace', name: 'The waterproof one', app_version: '4.2.0' }],
  agents: [
    {
      by: 'ada',
      agent_slug: 'auto_summarize',
      mode: 'suggest',
      instructions: 'Say what was promised, and to whom.',
    },
    {
      by: 'ada',
      agent_slug: 'auto_tag',
      mode: 'auto_apply',
      instructions: null,
    },
    { by: 'ada', agent_slug: 'auto_task', mode: 'suggest', instructions: null },
    { by: 'ada', agent_slug: 'auto_deal', mode: 'suggest', instructions: null },
    { by: 'ada', agent_slug: 'auto_enrich', mode: 'suggest', instructions: null },
    { by: 'ada', agent_slug: 'auto_meeting', mode: 'suggest', instructions: null },
  ],
  conversations: [
    {
      by: 'ada',
      title: 'Before the harbour day',
      questions: [
        'Who is Priya Raghunathan?',
        'Find threads about the boiler',
        'Add a contact Nils Aker <nils@quayside.example>',
      ],
    },
  ],
  requests: [
    {
      by: 'ada',
      on: { thread_subject: 'The boiler at the Old Chapel' },
      text: 'Tag this as Building',
      answer: 'accept',
    },
    {
      by: 'ada',
      on: { contact_name: 'Otis Marlowe' },
      text: 'Set the headline to Consultant',
      answer: { reject: 'He insists on being retired.' },
    },
    {
      by: 'ada',
      on: { thread_subject: 'Would you open Small Machines in Porto?' },
      text: 'Tag this as Talks',
    },
    {
      by: 'ada',
      on: { thread_subject: 'Would you open Small Machines in Porto?' },
      text: 'Draft a reply saying: With pleasure, and I bring a Limpet.',
    },
    {
      by: 'grace',
      on: { thread_subject: 'Housing, second version: where do the clips go?' },
      text: 'Remind me to choose the colour next Monday at 9:00',
      answer: 'accept',
    },
    {
      by: 'grace',
      on: { contact_name: 'Tom Abernathy' },
      text: 'Create a deal Clips for the tender for 320 EUR',
    },
  ],
  briefed: ['ada', 'grace'],
  enriched: [{ by: 'grace', contact_name: 'Wren Ashdown' }],
  damaged_archives: [
    {
      by: 'ada',
      file_name: 'old-laptop.zip',
      content_type: 'application/zip',
      content: 'PK\u0003\u0004 of which the second half is missing',
    },
  ],
  tidied: ['ada'],
};
