import type { DemoUserKey } from './people.ts';

/**
 * Which record of the demo shows which feature. Every list of the catalogue is here, with each of its slices: a new
 * family adds its records to acme.ts and globex.ts, and its lines to this table.
 */

/** The record that a path names: by what people call it. */
export type Subject =
  | { thread: string }
  | { contact: string }
  | { organization: string }
  | { task: string }
  | { deal: string }
  | { milestone: string }
  | { space: string }
  | { calendar_event: string }
  | { file: string }
  | { mailbox: DemoUserKey }
  | { conversation: string }
  | { import: string };

export interface DemoFeature {
  feature: string;
  /** The operation that answers it, and who calls it. */
  operation: string;
  by: DemoUserKey;
  of?: Subject;
  query?: Readonly<Record<string, string>>;
  /** Fields of one of the records in the response. */
  shows: Readonly<Record<string, unknown>>;
}

const fleet = 'Forty Limpets for the fleet';
const harbour = 'Harbour day: what to bring';
const tokyo = '工場見学のお礼と試験結果のご報告';
const pricing = 'Are we too cheap?';
const boiler = 'The boiler at the Old Chapel';
const incident = '[Tidewater] Elevated errors in region north-2';

/** Slices of a list. */
const sliceOf =
  (operation: string) =>
  (name: string, by: DemoUserKey, shows: DemoFeature['shows'], feature: string): DemoFeature => ({
    ...{ feature, operation, by, query: { slice: name } },
    shows,
  });

const threads = sliceOf('listThreads');
const contacts = sliceOf('listContacts');
const organizations = sliceOf('listOrganizations');
const tasks = sliceOf('listTasks');
const deals = sliceOf('listDeals');
const events = sliceOf('listCalendarEvents');
const files = sliceOf('listFiles');
const notifications = sliceOf('listNotifications');

/** What belongs to a record. */
const partsOf =
  (operation: string) =>
  (by: DemoUserKey, of: Subject, shows: DemoFeature['shows'], feature: string): DemoFeature => ({
    ...{ feature, operation, by, of },
    shows,
  });

const shares = partsOf('listShares');
const comments = partsOf('listComments');

const history = (by: DemoUserKey, of: Subject, change: object, feature: string): DemoFeature =>
  partsOf('listHistory')(by, of, { changes: [change] }, feature);

const slice = (name: string, by: DemoUserKey, subject: string, feature: string) =>
  threads(name, by, { subject }, feature);

const notified = (event: string, by: DemoUserKey, shows: DemoFeature['shows'], feature: string) =>
  notifications(event, by, { event, ...shows }, feature);

const proposed = (status: string, shows: DemoFeature['shows'], feature: string): DemoFeature => ({
  ...{ feature, operation: 'listProposals', by: 'ada', query: { status } },
  shows,
});

const mail: DemoFeature[] = [
  { feature: 'Threads', operation: 'listThreads', by: 'ada', shows: { subject: harbour, message_count: 3 } },
  { feature: 'Open threads', operation: 'listOpenThreads', by: 'ada', shows: { subject: harbour } },
  slice('inbox', 'ada', harbour, 'Inbox'),
  slice('today', 'ada', harbour, 'Mail of today'),
  slice('workweek', 'ada', harbour, 'Mail of the working week'),
  slice('flagged', 'ada', fleet, 'Flagged threads'),
  slice('unread', 'ada', harbour, 'Unread threads'),
  slice('unreplied', 'ada', incident, 'Threads without a reply'),
  slice('awaiting', 'ada', incident, 'Threads that await an answer'),
  slice('has_attachment', 'ada', fleet, 'Files in mail'),
  slice('unresolved', 'ada', harbour, 'Threads to deal with'),
  slice('snoozed', 'ada', pricing, 'Snoozed threads'),
  slice('pinned-contacts', 'ada', fleet, 'Threads with pinned contacts'),
  slice('shared', 'linus', tokyo, 'Threads shared with a user'),
  { ...slice('', 'ada', fleet, 'Mail of the own mailbox'), query: { scope: 'personal' } },
  { ...slice('', 'grace', fleet, 'Threads shared with a group'), query: { scope: 'shared' } },
  { ...slice('', 'ada', harbour, 'Mail of people'), query: { category: 'personal' } },
  { ...slice('', 'ada', incident, 'Notices'), query: { category: 'update' } },
  {
    ...slice('', 'ada', 'Would you open Small Machines in Porto?', 'Mail of lists'),
    query: { category: 'forum' },
  },
  {
    ...slice('', 'ada', 'The Torque Letter no. 42: listening to bearings', 'Newsletters'),
    query: { category: 'promotion' },
  },
  {
    feature: 'Threads that were dealt with',
    operation: 'listThreads',
    by: 'ada',
    shows: { subject: boiler, resolved: true },
  },
  {
    feature: 'Mailboxes',
    operation: 'listMailboxes',
    by: 'ada',
    shows: { name: "Ada's mail", access: 'owner' },
  },
  {
    feature: 'Label synchronization',
    operation: 'listMailboxes',
    by: 'grace',
    shows: { name: "Grace's mail", label_sync: true },
  },
  {
    feature: 'What a mailbox has at its server: nothing, without one',
    operation: 'retrieveSyncReport',
    by: 'ada',
    of: { mailbox: 'ada' },
    shows: { from: null, messages_recovered: 0 },
  },
  {
    feature: 'A mailbox without mail, of somebody else',
    operation: 'listMailboxes',
    by: 'grace',
    shows: { name: "Linus's mail", access: 'edit' },
  },
  {
    feature: 'A mailbox of somebody else',
    operation: 'listMailboxes',
    by: 'mindy',
    shows: { name: "Hank's mail", access: 'edit' },
  },
  {
    feature: 'Drafts',
    operation: 'listDrafts',
    by: 'ada',
    shows: { subject: 'The dry dock in March', kind: 'new', thread_id: null, status: 'draft' },
  },
  {
    feature: 'A draft that answers a message',
    operation: 'listDrafts',
    by: 'ada',
    query: { status: 'draft' },
    shows: { subject: `Re: ${fleet}`, kind: 'reply', thread_id: 'some' },
  },
  {
    feature: 'A finished import',
    operation: 'retrieveMailImport',
    by: 'ada',
    of: { import: 'demo.mbox' },
    shows: { status: 'complete', messages_imported: 72, messages_failed: 0 },
  },
  {
    // Its status is `complete`: only an upload that is gone, or a worker that gave up, makes an import `failed`.
    feature: 'An archive that cannot be read',
    operation: 'retrieveMailImport',
    by: 'ada',
    of: { import: 'old-laptop.zip' },
    shows: { messages_imported: 0, messages_failed: 1 },
  },
  {
    feature: 'Imports',
    operation: 'listMailImports',
    by: 'ada',
    of: { mailbox: 'ada' },
    shows: { file_name: 'demo.mbox', status: 'complete' },
  },
];

const team: DemoFeature[] = [
  {
    feature: 'Who made a key',
    operation: 'listAuditEvents',
    by: 'ada',
    shows: { action: 'api_key_created', changes: [] },
  },
  { feature: 'Users', operation: 'listUsers', by: 'ada', shows: { name: 'Linus Pauling', role: 'member' } },
  { feature: 'Groups', operation: 'listGroups', by: 'linus', shows: { name: 'Fitting crew', member: true } },
  { feature: 'Sessions', operation: 'listSessions', by: 'ada', shows: { current: true } },
  { feature: 'Keys that read', operation: 'listApiKeys', by: 'grace', shows: { tier: 'read' } },
  { feature: 'Keys that write', operation: 'listApiKeys', by: 'grace', shows: { tier: 'read_write' } },
  {
    feature: 'Mail about notifications, once an hour',
    operation: 'listUsers',
    by: 'grace',
    shows: {
      ...{ name: 'Grace Hopper', notification_digest: 'hourly' },
      notification_settings: { task_assigned: { push: true, email: true } },
    },
  },
  {
    feature: 'Devices with push messages',
    operation: 'listDeviceTokens',
    by: 'grace',
    shows: { platform: 'android', name: 'The waterproof one' },
  },
  shares(
    'ada',
    { thread: tokyo },
    { record_type: 'thread', access: 'view', group_id: null },
    'A thread shared to view',
  ),
  shares(
    'ada',
    { thread: fleet },
    { record_type: 'thread', access: 'edit', user_id: null },
    'A thread shared with a group to edit',
  ),
  shares(
    'hank',
    { mailbox: 'hank' },
    { record_type: 'mailbox', access: 'edit', group_id: null },
    'A mailbox shared to edit',
  ),
  shares(
    'hank',
    { mailbox: 'hank' },
    { record_type: 'mailbox', access: 'view', user_id: null },
    'A mailbox shared with a group to view',
  ),
  {
    feature: 'Requests for access that wait for an answer',
    operation: 'listShareRequests',
    by: 'ada',
    query: { status: 'pending' },
    shows: { status: 'pending', record: { subject: pricing } },
  },
  {
    feature: 'Requests for access that a user sent',
    operation: 'listShareRequests',
    by: 'linus',
    query: { status: 'all', direction: 'sent' },
    shows: { status: 'denied', record: null },
  },
  notified(
    'interaction_share_requested',
    'ada',
    { payload: { record_type: 'thread', subject: pricing } },
    'A colleague asks for access',
  ),
  { feature: 'Contacts', operation: 'listContacts', by: 'ada', shows: { name: 'Priya Raghunathan' } },
  {
    feature: 'A contact of somebody who was written to',
    operation: 'listContacts',
    by: 'ada',
    shows: { name: 'Edith Pemberton', source: 'mailbox' },
  },
  {
    feature: 'The organization of a domain in mail',
    operation: 'listOrganizations',
    by: 'ada',
    shows: { name: 'pemberton-lets.example' },
  },
  contacts('all', 'linus', { name: 'Priya Raghunathan' }, 'Contacts that all users see'),
  contacts('mine', 'linus', { name: '佐藤 由美', visibility: 'account' }, 'Own contacts'),
  contacts('pinned', 'ada', { name: 'Priya Raghunathan', pinned: true }, 'Pinned contacts'),
  contacts('shared', 'linus', { name: 'Tomás Iglesias' }, 'Contacts shared with a user'),
  contacts('recent', 'ada', { name: 'Wren Ashdown' }, 'Recent contacts'),
  {
    feature: 'Contacts by the last interaction',
    operation: 'listContacts',
    by: 'ada',
    query: { sort: 'last_interaction_at' },
    shows: { name: 'Priya Raghunathan' },
  },
  contacts('unemployed', 'ada', { name: 'Otis Marlowe' }, 'Contacts without a current employment'),
  {
    ...contacts('', 'ada', { name: 'Otis Marlowe', visibility: 'private' }, 'A private contact'),
    query: { query: 'marlowe' },
  },
  {
    ...contacts('shared', 'grace', { name: 'Noémie Lefèvre' }, 'Contacts shared with a group'),
    query: { slice: 'shared', query: 'noémie' },
  },
  shares(
    'grace',
    { contact: 'Tomás Iglesias' },
    { record_type: 'contact', access: 'view', group_id: null },
    'A contact shared to view',
  ),
  {
    feature: 'Organizations',
    operation: 'listOrganizations',
    by: 'linus',
    shows: { name: 'Bellwether Ferries', domains: ['bellwether.example'] },
  },
  organizations('all', 'grace', { name: 'Ashdown Studio' }, 'Organizations that all users see'),
  organizations('mine', 'linus', { name: '星野精機株式会社' }, 'Own organizations'),
  organizations('shared', 'linus', { name: 'Plumb & Sons', visibility: 'private' }, 'A shared organization'),
  organizations('recent', 'ada', { name: 'Bellwether Ferries' }, 'Recent organizations'),
  {
    feature: 'Organizations by the last interaction',
    operation: 'listOrganizations',
    by: 'ada',
    query: { sort: 'last_interaction_at' },
    shows: { name: 'Bellwether Ferries' },
  },
  shares(
    'ada',
    { organization: 'Plumb & Sons' },
    { record_type: 'organization', access: 'view', group_id: null },
    'An organization shared to view',
  ),
  {
    feature: 'People of organizations',
    operation: 'listContacts',
    by: 'ada',
    shows: { name: 'Tom Abernathy', employments: [{ organization: { name: 'Bellwether Ferries' } }] },
  },
  {
    feature: 'Contacts that may be one person',
    operation: 'listDuplicates',
    by: 'ada',
    of: { contact: 'Tom Abernathy' },
    shows: {
      contact: { name: 'Abernathy, Tom' },
      reasons: ['same_phone', 'similar_name_same_organization'],
    },
  },
  {
    feature: 'Definitions of custom fields',
    operation: 'listCustomFields',
    by: 'grace',
    shows: { record_type: 'deals', key: 'hull', type: 'select', indexed: true },
  },
  {
    feature: 'A unique custom field',
    operation: 'listCustomFields',
    by: 'linus',
    shows: { key: 'order_number', unique: true },
  },
  {
    feature: 'Values of defined custom fields',
    operation: 'listDeals',
    by: 'ada',
    shows: {
      name: 'Limpets for the whole fleet',
      custom_fields: { hull: 'steel', order_number: 'LF-0042' },
    },
  },
  {
    feature: 'Pipelines',
    operation: 'listPipelines',
    by: 'linus',
    shows: { name: 'Fleet orders', default: true, stages: [{ name: 'Sea trial', probability: 40 }] },
  },
  {
    feature: 'The pipeline that every account begins with',
    operation: 'listPipelines',
    by: 'ada',
    shows: { name: 'Sales', default: false, position: 1, user_id: null },
  },
  {
    feature: 'Tags on threads',
    operation: 'listTags',
    by: 'ada',
    shows: { name: 'Incidents', thread_count: 2 },
  },
  {
    feature: 'Tags on contacts',
    operation: 'listTags',
    by: 'ada',
    shows: { name: 'Customers', contact_count: 2 },
  },
];

const work: DemoFeature[] = [
  {
    feature: 'Tasks',
    operation: 'listTasks',
    by: 'ada',
    shows: { name: 'Order the limpets', thread_id: 'some' },
  },
  tasks('open', 'ada', { name: 'Paint the bollards' }, 'Open tasks'),
  tasks('today', 'ada', { name: 'Call Priya about the winch' }, 'Tasks due today'),
  tasks('overdue', 'ada', { name: 'Order the limpets' }, 'Overdue tasks'),
  tasks('upcoming', 'ada', { name: 'Paint the bollards' }, 'Tasks to come'),
  tasks('upcoming', 'ada', { name: 'Paint the bollards', reminders: [1_440] }, 'Reminders of tasks'),
  tasks('unscheduled', 'ada', { name: 'Find a quieter boiler' }, 'Tasks without a date'),
  tasks('completed', 'ada', { name: 'Learn to juggle' }, 'Completed tasks'),
  history('ada', { task: 'Learn to juggle' }, { field: 'completed_at', before: null }, 'Changes of tasks'),
  history('linus', { deal: 'Winch trial' }, { field: 'amount', before: 2_750.5 }, 'Changes of deals'),
  history(
    'grace',
    { contact: 'Tom Abernathy' },
    { field: 'headline', before: 'Procurement, Bellwether Ferries' },
    'Changes of contacts',
  ),
  history(
    'grace',
    { contact: 'Priya Raghunathan' },
    { field: 'merged_ids', before: [] },
    'Merges that can be taken back',
  ),
  history(
    'grace',
    { organization: 'Small Machines' },
    { field: 'industry', before: 'Machines', after: 'Conferences' },
    'Changes of organizations',
  ),
  {
    ...{ feature: 'Deleted records', operation: 'listDeletions', by: 'ada' },
    shows: { merged_into: null, restorable_until: 'some' },
  },
  tasks('assigned', 'ada', { name: 'Find a quieter boiler' }, 'Tasks of the user'),
  tasks('created', 'grace', { name: 'Find a quieter boiler' }, 'Tasks for others'),
  tasks('shared', 'grace', { name: 'Paint the bollards' }, 'Shared tasks'),
  shares('ada', { task: 'Paint the bollards' }, { record_type: 'task', user_id: 'grace' }, 'Shares of tasks'),
  {
    feature: 'Files, uploaded and of mails',
    operation: 'listFiles',
    by: 'ada',
    shows: { name: 'limpet-price-list.pdf', organization_ids: ['some'], tags: [{ name: 'Customers' }] },
  },
  {
    feature: 'An import that was tried',
    operation: 'listImports',
    by: 'grace',
    shows: { file_name: 'fair-visitors.csv', dry_run: true, rows_created: 2, rows_failed: 1 },
  },
  {
    feature: 'Rows of an import',
    operation: 'listImportRows',
    by: 'grace',
    of: { import: 'fair-visitors.csv' },
    shows: { number: 3, status: 'failed' },
  },
  {
    feature: 'An import of a calendar',
    operation: 'listImports',
    by: 'ada',
    shows: { file_name: 'tides.ics', format: 'ics', rows_created: 1 },
  },
  {
    feature: 'A calendar as a file',
    operation: 'listExports',
    by: 'hank',
    shows: { record_type: 'calendar_events', format: 'ics', status: 'complete' },
  },
  {
    feature: 'An export',
    operation: 'listExports',
    by: 'hank',
    shows: { record_type: 'tasks', format: 'csv', status: 'complete' },
  },
  files('all', 'ada', { name: 'engines-and-feelings.csv', thread_ids: ['some'] }, 'All files'),
  files('mine', 'ada', { name: 'boiler-temperatures.csv' }, 'Files of the user'),
  files('uploads', 'grace', { source: 'upload' }, 'Uploaded files'),
  files('attachments', 'ada', { source: 'attachment', attachment_ids: ['some'] }, 'Files of mails'),
  files('shared', 'grace', { name: 'boiler-temperatures.csv' }, 'Shared files'),
  files('recent', 'ada', { name: 'limpet-price-list.pdf' }, 'Recent files'),
  shares(
    'ada',
    { file: 'boiler-temperatures.csv' },
    { record_type: 'file', user_id: 'grace' },
    'Shares of files',
  ),
  comments('ada', { file: 'limpet-price-list.pdf' }, { user_id: 'grace' }, 'Comments on files'),
  {
    feature: 'Milestones, with the progress of their tasks',
    operation: 'listMilestones',
    by: 'ada',
    shows: { name: 'Winter refit', organization_id: 'some', task_count: 2, completed_task_count: 1 },
  },
  {
    feature: 'A milestone that was reached',
    operation: 'listMilestones',
    by: 'grace',
    shows: { name: 'First ferry fitted', status: 'reached', reached_at: 'some' },
  },
  {
    feature: 'Search over all records',
    operation: 'searchRecords',
    by: 'ada',
    query: { query: 'limpet' },
    shows: { query: 'limpet', results: 'some' },
  },
  {
    feature: 'A timeline of the account',
    operation: 'showTimeline',
    by: 'ada',
    query: { types: 'record_created,deal_created,task_created' },
    shows: { entries: 'some', oldest_timestamp: 'some' },
  },
  {
    feature: 'A timeline of another account',
    operation: 'showTimeline',
    by: 'hank',
    query: { types: 'record_created,thread' },
    shows: { entries: 'some', oldest_timestamp: 'some' },
  },
  {
    feature: 'A space of an organization and its people',
    operation: 'listSpaces',
    by: 'linus',
    shows: { name: 'Bellwether account', kind: 'records' },
  },
  {
    feature: 'A space of tags',
    operation: 'listSpaces',
    by: 'ada',
    shows: { name: 'Our suppliers', kind: 'tags', tag_ids: 'some' },
  },
  shares(
    'grace',
    { space: 'A surprise for Linus' },
    { record_type: 'space', user_id: 'grace' },
    'A shared space',
  ),
  comments('linus', { space: 'Bellwether account' }, { user_id: 'grace' }, 'Comments on a space'),
  shares(
    'grace',
    { milestone: 'A quieter office' },
    { record_type: 'milestone', user_id: 'grace' },
    'A shared milestone',
  ),
];

const calendar: DemoFeature[] = [
  {
    feature: 'Calendars of mailboxes',
    operation: 'listCalendars',
    by: 'ada',
    shows: { primary: true, time_zone: 'Europe/London' },
  },
  {
    feature: 'Events, with who is invited',
    operation: 'listCalendarEvents',
    by: 'ada',
    shows: { name: 'Sea trial with Bellwether', location: 'Pier 3' },
  },
  events('today', 'ada', { name: 'Monday at the slipway' }, 'Occurrences of a series'),
  events(
    'shared',
    'linus',
    { name: 'Tea with the harbour master', reminders: [] },
    'Reminders are one’s own',
  ),
  events('upcoming', 'ada', { name: 'Tea with the harbour master', reminders: [15] }, 'Reminders of events'),
  events('week', 'ada', { name: 'Monday at the slipway' }, 'Events of this week'),
  events('upcoming', 'grace', { name: null, private: true }, 'A private event, for others'),
  events('past', 'ada', { name: 'Did the clips rust?', has_transcript: true }, 'A transcript'),
  events('shared', 'linus', { name: 'Tea with the harbour master' }, 'Shared events'),
  comments(
    'ada',
    { calendar_event: 'Sea trial with Bellwether' },
    { user_id: 'grace' },
    'Comments on events',
  ),
  shares(
    'ada',
    { calendar_event: 'Tea with the harbour master' },
    { record_type: 'calendar_event', user_id: 'linus' },
    'Shares of events',
  ),
];

const sales: DemoFeature[] = [
  {
    feature: 'Deals, with people and organizations',
    operation: 'listDeals',
    by: 'grace',
    shows: {
      name: 'Limpets for the whole fleet',
      amount: 18_400,
      currency: 'GBP',
      stage: { name: 'Quoted' },
      organization: { name: 'Bellwether Ferries' },
      contacts: [{ name: 'Tom Abernathy', role: 'decision maker' }],
    },
  },
  deals('open', 'ada', { name: 'Winch trial' }, 'Open deals'),
  deals('won', 'ada', { name: 'Spare clips' }, 'Deals that were won'),
  deals('lost', 'ada', { name: 'A limpet for the duck pond' }, 'Deals that were lost'),
  ...(['open', 'won', 'lost'] as const).map(
    (status): DemoFeature => ({
      ...{ feature: `Deals by status: ${status}`, operation: 'listDeals', by: 'linus', query: { status } },
      shows: { status },
    }),
  ),
  deals('mine', 'grace', { name: 'Winch trial' }, 'Deals of the assignee'),
  deals('overdue', 'ada', { name: 'Winch trial' }, 'Overdue deals'),
  deals('shared', 'grace', { name: 'Limpets for the whole fleet' }, 'Shared deals'),
  shares(
    'ada',
    { deal: 'Limpets for the whole fleet' },
    { record_type: 'deal', user_id: 'grace' },
    'Shares of deals',
  ),
  comments('ada', { deal: 'Limpets for the whole fleet' }, { user_id: 'linus' }, 'Comments on deals'),
  {
    feature: 'The stages of a deal, and how long it was there',
    operation: 'listStageHistory',
    by: 'grace',
    of: { deal: 'Limpets for the whole fleet' },
    shows: { from_stage: null, to_stage: { name: 'Quoted', kind: 'open' } },
  },
];

const talk: DemoFeature[] = [
  comments(
    'linus',
    { thread: fleet },
    { mentions: [{ user_id: 'grace' }] },
    'Comments on threads, with mentions',
  ),
  comments(
    'ada',
    { thread: fleet },
    { user_id: 'grace', parent_comment_id: 'some', reactions: [{ text: '🫖', user_id: 'ada' }] },
    'Replies and reactions',
  ),
  comments('ada', { contact: 'Priya Raghunathan' }, { user_id: 'grace' }, 'Comments on contacts'),
  comments(
    'grace',
    { organization: 'Bellwether Ferries' },
    { user_id: 'linus' },
    'Comments on organizations',
  ),
  {
    feature: 'Notifications that were read',
    operation: 'listNotifications',
    by: 'ada',
    shows: { new: false, read_at: 'some' },
  },
  {
    feature: 'Unread notifications',
    operation: 'listNotifications',
    by: 'ada',
    query: { status: 'unread' },
    shows: { new: true, read_at: null },
  },
  notified(
    'task_assigned',
    'ada',
    { payload: { name: 'Find a quieter boiler' } },
    'Notified of an assigned task',
  ),
  notified(
    'milestone_shared',
    'grace',
    { payload: { name: 'A quieter office' } },
    'Notified of a shared milestone',
  ),
  notified(
    'space_shared',
    'grace',
    { payload: { name: 'A surprise for Linus' } },
    'Notified of a shared space',
  ),
  notified('task_shared', 'grace', { payload: { name: 'Paint the bollards' } }, 'Notified of a shared task'),
  notified('file_shared', 'grace', { prompting_user_id: 'ada' }, 'Told of a shared file'),
  notified('comment_added', 'ada', {}, 'Told of comments'),
  notified('comment_mentioned', 'grace', { prompting_user_id: 'ada' }, 'Told of mentions'),
  notified('thread_shared', 'linus', { prompting_user_id: 'ada' }, 'Told of a shared thread'),
  notified('organization_shared', 'linus', { prompting_user_id: 'ada' }, 'Told of a shared organization'),
  notified('contact_shared', 'linus', { prompting_user_id: 'grace' }, 'Told of a shared contact'),
  notified('mailbox_shared', 'mindy', { prompting_user_id: 'hank' }, 'Told of a shared mailbox'),
  notified('proposal_created', 'ada', { prompting_user_id: null }, 'Told of a proposal'),
  notified('proposal_applied', 'ada', { prompting_user_id: null }, 'Told of what an agent did'),
];

const assistant: DemoFeature[] = [
  {
    feature: 'Conversations',
    operation: 'listConversations',
    by: 'ada',
    shows: { title: 'Before the harbour day', message_count: 6 },
  },
  {
    feature: 'What a day brings',
    operation: 'listDailyBriefings',
    by: 'ada',
    shows: { status: 'complete', text: 'some', blocks: [{ type: 'table', title: 'Meetings today' }] },
  },
  {
    feature: 'Answers with text',
    operation: 'listMessages',
    by: 'ada',
    of: { conversation: 'Before the harbour day' },
    shows: { status: 'complete', blocks: [{ type: 'text' }] },
  },
  {
    feature: 'Answers with cards',
    operation: 'listMessages',
    by: 'ada',
    of: { conversation: 'Before the harbour day' },
    shows: { status: 'complete', blocks: [{ type: 'cards', card_type: 'Thread' }] },
  },
  {
    feature: 'Answers with a proposal',
    operation: 'listMessages',
    by: 'ada',
    of: { conversation: 'Before the harbour day' },
    shows: { status: 'complete', blocks: [{ type: 'proposal', status: 'pending' }] },
  },
  comments(
    'ada',
    { thread: boiler },
    { agent: 'assistant', status: 'complete', parent_comment_id: 'some' },
    'The assistant in comments',
  ),
  {
    feature: 'Proposals to answer',
    operation: 'listProposals',
    by: 'ada',
    shows: { action_type: 'contact.create', actions: ['accept', 'reject'] },
  },
  proposed('pending', { action_type: 'tag.apply' }, 'A pending proposal'),
  proposed('applied', { action_type: 'tag.apply', resolved_by_user_id: 'ada' }, 'An accepted proposal'),
  { ...proposed('applied', { action_type: 'task.create' }, 'A task that was proposed'), by: 'grace' },
  { ...proposed('pending', { action_type: 'deal.create' }, 'A deal to accept'), by: 'grace' },
  proposed('pending', { action_type: 'draft.create' }, 'A reply to accept'),
  {
    feature: 'A draft that was proposed',
    operation: 'listDrafts',
    by: 'hank',
    shows: { status: 'draft', proposal_id: 'some' },
  },
  proposed('rejected', { resolution_reason: 'He insists on being retired.' }, 'A declined proposal'),
  proposed('all', { agent_slug: 'auto_tag', actions: ['undo'] }, 'A change by an agent'),
  {
    feature: 'A change by an agent, by its name',
    operation: 'listProposals',
    by: 'ada',
    query: { status: 'all', agent_slug: 'auto_tag' },
    shows: { source: { type: 'thread' } },
  },
  {
    feature: 'What mail tells about a contact',
    operation: 'listProposals',
    by: 'grace',
    query: { status: 'pending', agent_slug: 'auto_enrich' },
    shows: { action_type: 'contact.update', source: { type: 'thread' } },
  },
  {
    feature: 'What mail asks for',
    operation: 'listProposals',
    by: 'ada',
    query: { status: 'pending', agent_slug: 'auto_task' },
    shows: { action_type: 'task.create', source: { type: 'thread' } },
  },
  {
    feature: 'A deal that mail begins',
    operation: 'listProposals',
    by: 'ada',
    query: { status: 'pending', agent_slug: 'auto_deal' },
    shows: { action_type: 'deal.create', source: { type: 'thread' } },
  },
  {
    feature: 'What mail asks for, in another account',
    operation: 'listProposals',
    by: 'hank',
    query: { status: 'pending', agent_slug: 'auto_task' },
    shows: { action_type: 'task.create', source: { type: 'thread' } },
  },
  {
    feature: 'A deal that mail begins, in another account',
    operation: 'listProposals',
    by: 'hank',
    query: { status: 'pending', agent_slug: 'auto_deal' },
    shows: { action_type: 'deal.create', source: { type: 'thread' } },
  },
  {
    feature: 'What was promised in a meeting',
    operation: 'listProposals',
    by: 'ada',
    query: { status: 'pending', agent_slug: 'auto_meeting' },
    shows: { action_type: 'task.create', source: { type: 'calendar_event' } },
  },
  {
    feature: 'Summaries of threads',
    operation: 'listThreads',
    by: 'ada',
    shows: { subject: fleet, headline: 'some', summary: 'some' },
  },
  {
    feature: 'Agents',
    operation: 'listAgentConfigurations',
    by: 'ada',
    shows: { agent_slug: 'auto_summarize', enabled: true },
  },
];

export const demoFeatures: readonly DemoFeature[] = [
  ...mail,
  ...team,
  ...work,
  ...calendar,
  ...sales,
  ...talk,
  ...assistant,
];

const WAITS = 'waits for its family';
const WITHOUT_SERVERS = 'mailboxes without servers send nothing: see npm start -- --with-mail-server';

const waiting = {
  'listNotifications slice': [
    ...['deal_assigned', 'deal_won', 'deal_stage_moved', 'deal_shared'],
    'calendar_event_shared',
  ],
};

/** Slices of lists that nothing in the demo can show, and why. */
export const notShown: Readonly<Record<string, string>> = {
  listTermsAssents: 'the local run has no documents, unless TERMS names some',
  'listProposals status=undone': 'looks like a rejected one',
  'listProposals status=expired': 'takes thirty days',
  'listProposals status=failed': 'nothing in the demo goes wrong on purpose',
  'listProposals agent_slug=auto_summarize': 'summaries are no proposals',
  'listDrafts status=queued': WITHOUT_SERVERS,
  'listDrafts status=failed': WITHOUT_SERVERS,
  'listNotifications slice=draft_failed': WITHOUT_SERVERS,
  'listNotifications slice=mailbox_locked': 'nothing in the demo goes wrong on purpose',
  'listNotifications slice=mailbox_unlocked': 'nothing in the demo goes wrong on purpose',
  'listNotifications slice=task_reminder': 'comes days later',
  'listNotifications slice=calendar_event_reminder': 'comes days later',
  ...Object.fromEntries(
    Object.entries(waiting).flatMap(([list, values]) => values.map((each) => [`${list}=${each}`, WAITS])),
  ),
};
