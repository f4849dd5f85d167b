import type { Fields } from './descriptions.ts';

/** The parameters of paths and queries. What an operation says itself comes first. */
export const parameters: Fields = {
  agent_slug:
    'One of the agents: `auto_tag`, `auto_task`, `auto_summarize`, `auto_deal`, `auto_enrich`, `auto_meeting`.',
  asset: 'The file name, one of those that the page loads.',
  calendar_event_id: 'An event that the key’s user sees.',
  comment_id: 'A comment on a record that the key sees.',
  conversation_id: 'A conversation of the key’s user.',
  file_id: 'A file that the key’s user sees.',
  group_id: 'A group of the account.',
  pipeline_id: 'A pipeline of the account.',
  share_request_id: 'A request for access that the key’s user received.',
  tag_id: 'The tag, not the tagging.',
  user_id: 'A user of the account.',
  action_type: 'Keeps proposals that would do this.',
  record_id: 'Keeps proposals that would change this record; needs `record_type`.',
  sort: 'By what to sort the list.',
  order: 'Ascending or descending.',
  page: 'Which page to return, from 1.',
  per_page: 'Records on a page. More than 100 are lowered to 100.',
  limit: 'Records on a page. More than 100 are lowered to 100.',
};

/** The `id` of a path, by the collection that it is in; any other is the record to act on. */
export const ids: Fields = {
  api_keys: 'The API key to act on.',
  daily_briefings: 'A briefing of the key’s user.',
  duplicates: 'The pair, of this contact and another one.',
  imports: 'The import, of this mailbox.',
  mailboxes: 'The mailbox to act on.',
  notifications: 'A notification of the key’s user.',
  reactions: 'The reaction, of the key’s user and to this comment.',
  share_requests: 'A request for access that the key’s user sent or received.',
  shares: 'The share, of this record.',
  stages: 'The stage, of this pipeline.',
};
