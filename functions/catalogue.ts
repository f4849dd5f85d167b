import { type Operation, operationsOf } from '#shared/api/catalogue.ts';
import * as access_tokens from './access-tokens/index.ts';
import * as accounts from './accounts/index.ts';
import * as agent_configurations from './agent-configurations/index.ts';
import * as api_keys from './api-keys/index.ts';
import * as app from './app/index.ts';
import * as attachments from './attachments/index.ts';
import * as audit_events from './audit-events/index.ts';
import * as avatars from './avatars/index.ts';
import * as billing from './billing/index.ts';
import * as calendar_events from './calendar-events/index.ts';
import * as calendars from './calendars/index.ts';
import * as comments from './comments/index.ts';
import * as contacts from './contacts/index.ts';
import * as conversations from './conversations/index.ts';
import * as custom_fields from './custom-fields/index.ts';
import * as daily_briefings from './daily-briefings/index.ts';
import * as dashboard from './dashboard/index.ts';
import * as deals from './deals/index.ts';
import * as deletions from './deletions/index.ts';
import * as device_tokens from './device-tokens/index.ts';
import * as docs from './docs/index.ts';
import * as drafts from './drafts/index.ts';
import * as duplicates from './duplicates/index.ts';
import * as exports_of_records from './exports/index.ts';
import * as files from './files/index.ts';
import * as groups from './groups/index.ts';
import * as health from './health/index.ts';
import * as history from './history/index.ts';
import * as imports from './imports/index.ts';
import * as mailboxes from './mailboxes/index.ts';
import * as milestones from './milestones/index.ts';
import * as notifications from './notifications/index.ts';
import * as organizations from './organizations/index.ts';
import * as pipelines from './pipelines/index.ts';
import * as proposals from './proposals/index.ts';
import * as search from './search/index.ts';
import * as sessions from './sessions/index.ts';
import * as share_requests from './share-requests/index.ts';
import * as socket_tickets from './socket-tickets/index.ts';
import * as spaces from './spaces/index.ts';
import * as tags from './tags/index.ts';
import * as tasks from './tasks/index.ts';
import * as terms_assents from './terms-assents/index.ts';
import * as threads from './threads/index.ts';
import * as timeline from './timeline/index.ts';
import * as unsubscriptions from './unsubscriptions/index.ts';
import * as uploads from './uploads/index.ts';
import * as users from './users/index.ts';
import * as waitlistees from './waitlistees/index.ts';

/** Every family of operations: the only list. */
export const families = {
  access_tokens,
  accounts,
  agent_configurations,
  api_keys,
  app,
  attachments,
  audit_events,
  avatars,
  billing,
  calendar_events,
  calendars,
  comments,
  contacts,
  conversations,
  custom_fields,
  daily_briefings,
  dashboard,
  deals,
  deletions,
  device_tokens,
  docs,
  drafts,
  duplicates,
  exports: exports_of_records,
  files,
  groups,
  health,
  history,
  imports,
  mailboxes,
  milestones,
  notifications,
  organizations,
  pipelines,
  proposals,
  search,
  sessions,
  share_requests,
  socket_tickets,
  spaces,
  tags,
  tasks,
  terms_assents,
  threads,
  timeline,
  unsubscriptions,
  uploads,
  users,
  waitlistees,
};

export const operations: Operation[] = operationsOf(families);
