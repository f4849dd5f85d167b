import type { Fields } from './descriptions.ts';

/** The parameters of paths and queries. What an operation says itself comes first. */
export const parameters: Fields = {
  agent_slug:
    'One of the agents: `auto_tag`, `auto_task`, `auto_summarize`, `auto_deal`, `auto_enrich`, `auto_meeting`.',
  asset: 'The file name, one of those that the page loads.',
  contact_id: 'A contact that the key sees.',
  thread_id: 'A thread that the key sees.',
  mailbox_id: 'A mailbox that the key sees.',
  comment_id: 'A comment on a record that the key sees.',
  conversation_id: 'A conversation of the key’s user.',
  group_id: 'A group of the account.',
  proposal_id: 'A proposal that the key sees.',
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

/** The `id` of a path, by the collection that it is in. */
export const ids: Fields = {
  api_keys: 'The API key to act on.',
  comments: 'The comment to act on.',
  contacts: 'The contact to act on.',
  conversations: 'The conversation to act on.',
  groups: 'The group to act on.',
  imports: 'The import, of this mailbox.',
  mailboxes: 'The mailbox to act on.',
  notifications: 'A notification of the key’s user.',
  proposals: 'The proposal to act on.',
  reactions: 'The reaction, of the key’s user and to this comment.',
  shares: 'The share, of this record.',
  tags: 'The tag to act on.',
  threads: 'The thread to act on.',
};
