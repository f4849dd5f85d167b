import type { Descriptions } from './descriptions.ts';

const like = (slice: string) => `Of the list of threads with \`slice=${slice}\`.`;
const tasks = (slice: string) => `Of the list of tasks with \`slice=${slice}\`.`;

/** What a person looks at first (docs/specification/views.md). */
export const insight: Descriptions = {
  Dashboard: {
    is: 'Numbers for the front page, as the user sees them.',
    fields: {
      threads: 'Threads by state.',
      tasks: 'Tasks by when they are due.',
      calendar_events: 'Events of today that are not over, the first ten.',
      deals: 'The deals of each pipeline, in the order of the pipelines.',
      notifications: 'The user’s notifications.',
      proposals: 'Changes that wait for the user’s answer.',
      share_requests: 'Colleagues’ requests for access that wait for the user’s answer.',
      mailboxes: 'The mailboxes that the user sees.',
      generated_at: 'The moment of the numbers.',
    },
  },
  DailyBriefing: {
    is: 'What a day brings one user, as that user sees the workspace.',
    fields: {
      user_id: 'The only user who sees it.',
      date: 'The day in the user’s time zone. There is one briefing for a day.',
      status:
        '`pending` until it is written. One that `failed` has its sections, and may be asked for again.',
      text: 'The day in a few sentences; null while it is pending and where no assistant writes, the reason when it failed.',
      blocks:
        'The text, and a table for each section: meetings today, threads awaiting a reply, tasks due, deals moved. Their rows are records that the user still sees.',
      refs: 'The records of all rows.',
      generated_at: 'The moment that the sections tell of; null while it is pending.',
      created_at: 'When it was first asked for.',
      updated_at: 'When its status last changed; null while it is pending for the first time.',
    },
  },
  DailyBriefingListResponse: {
    is: 'The last briefings of the user.',
    fields: { daily_briefings: 'The newest first.' },
  },
  DashboardThreads: {
    is: 'Threads by state, each counted up to 1,000.',
    fields: {
      unread: like('unread'),
      flagged: like('flagged'),
      unresolved: like('unresolved'),
      awaiting: like('awaiting'),
      snoozed: like('snoozed'),
    },
  },
  DashboardTasks: {
    is: 'Tasks by when they are due, each counted up to 1,000.',
    fields: { overdue: tasks('overdue'), today: tasks('today'), upcoming: tasks('upcoming') },
  },
  DashboardPipeline: {
    is: 'The deals of a pipeline that the user sees. Amounts are those in the pipeline’s currency; others are not added.',
    fields: {
      pipeline_id: 'The pipeline that has them.',
      name: 'What it is called.',
      currency: 'Its currency, else that of the account; null when neither has one.',
      open_count: 'How many deals are open, whatever their currency.',
      open_amount: 'What they come to.',
      weighted_amount: 'The same, each by its probability.',
      won_amount_30d:
        'What deals come to that were won since the day 30 days ago began, in the user’s time zone.',
    },
  },
  DashboardNotifications: {
    is: 'How many notifications the user has.',
    fields: {
      new_count: 'Those that came since the user opened them, or marked all read.',
      unread_count: 'Those that are not read.',
    },
  },
  DashboardProposals: {
    is: 'How many changes wait for an answer.',
    fields: { pending_count: 'Those that the user can accept or reject.' },
  },
  DashboardShareRequests: {
    is: 'How many requests for access wait for an answer.',
    fields: { pending_count: 'Those that the user can approve or deny, up to 100.' },
  },
  DashboardMailbox: {
    is: 'A mailbox, and whether it works.',
    fields: { email_address: 'Where its mail is sent to.', status: 'Whether it works.' },
  },
  SocketTicket: {
    is: 'A ticket that opens one socket for live updates.',
    fields: {
      ticket: 'Goes into the address, as the parameter `ticket`.',
      url: 'Where the socket is opened.',
      expires_at: 'Until when it works: 60 seconds after it was made.',
    },
  },
};
