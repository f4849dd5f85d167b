/**
 * What the tools of the assistant return: plain JSON, as the asking user sees the workspace. Timestamps are ISO 8601,
 * UTC.
 */

export interface PersonView {
  /** Null for people without a contact that the user sees. */
  contact_id: string | null;
  name: string | null;
  email_address: string;
}

export interface CommentView {
  author: string;
  created_at: string;
  text: string;
}

export interface TagView {
  id: string;
  name: string;
  description: string | null;
}

export interface MessageView {
  id: string;
  sent_at: string;
  from: PersonView | null;
  to: PersonView[];
  /** Sent from an address of the asking user. */
  own: boolean;
  /** The new text of this message, without quotes and hidden text. */
  text: string;
  /** True when `text` is only its beginning. */
  shortened: boolean;
  attachments: string[];
}

/** A thread in a list. */
export interface ThreadRow {
  id: string;
  subject: string | null;
  snippet: string | null;
  participants: PersonView[];
  message_count: number;
  unread: boolean;
  flagged: boolean;
  resolved: boolean;
  /** Whether the user's side has not replied. */
  awaiting: boolean;
  /** Who wrote the newest message. */
  last_from: PersonView | null;
  /** Whether the newest message is from a list or a machine, which expects no answer. */
  automatic: boolean;
  first_sent_at: string;
  last_sent_at: string;
  tags: string[];
}

export interface ThreadView extends ThreadRow {
  type: 'thread';
  snooze_until: string | null;
  /** The newest, oldest first. */
  messages: MessageView[];
  /** Older messages before `messages`, by their beginnings: longer for the one that began the thread. */
  earlier: { sent_at: string; from: string; snippet: string | null }[];
  /** The number of still older ones. */
  left_out: number;
  /** The newest, oldest first. */
  comments: CommentView[];
}

export interface ContactRow {
  id: string;
  name: string;
  headline: string | null;
  email_addresses: string[];
}

export interface ContactView extends ContactRow {
  type: 'contact';
  nickname: string | null;
  description: string | null;
  phone_numbers: string[];
  employments: { title: string | null; organization: string | null; current: boolean }[];
  birthday: string | null;
  time_zone: string | null;
  tags: string[];
  /** The newest that the user sees. */
  threads: ThreadRow[];
  /** The newest, oldest first. */
  comments: CommentView[];
}

/** A deal in a list. */
export interface DealRow {
  id: string;
  name: string;
  status: 'open' | 'won' | 'lost';
  stage: string;
  amount: number | null;
  currency: string | null;
  /** Percent. */
  probability: number | null;
  expected_close_on: string | null;
  /** Null without one that the user sees. */
  organization: string | null;
}

export interface DealView extends DealRow {
  type: 'deal';
  description: string | null;
  closed_at: string | null;
  lost_reason: string | null;
  /** Null for nobody. */
  assignee: string | null;
  people: { contact_id: string; name: string; role: string | null }[];
  tags: string[];
  /** The newest, oldest first. */
  comments: CommentView[];
  /** The stages of its pipeline, for moving it. */
  stages: { id: string; name: string; kind: 'open' | 'won' | 'lost' }[];
}

/** A task in a list. */
export interface TaskRow {
  id: string;
  name: string;
  status: 'open' | 'completed';
  /** A moment, or a day for a task of the whole day. */
  due_at: string | null;
  priority: 'low' | 'normal' | 'high' | null;
  /** Null for nobody. */
  assignee: string | null;
  /** The records that it is about and that the user sees. */
  about: { type: string; id: string; name: string }[];
}

export interface TaskView extends TaskRow {
  type: 'task';
  /** Plain text. */
  description: string | null;
  completed_at: string | null;
}

/** An organization in a list. */
export interface OrganizationRow {
  id: string;
  name: string;
  domains: string[];
  industry: string | null;
}

export interface OrganizationView extends OrganizationRow {
  type: 'organization';
  description: string | null;
  website_url: string | null;
  employee_count: number | null;
  phone_numbers: string[];
  /** The first by name, of `contact_count` that the user sees. */
  people: { contact_id: string; name: string; title: string | null; current: boolean }[];
  contact_count: number;
  /** Those written last. */
  deals: DealRow[];
  /** Open ones, by when they are due. */
  tasks: TaskRow[];
  tags: string[];
  /** The newest, oldest first. */
  comments: CommentView[];
}

/** A colleague. */
export interface UserView {
  id: string;
  name: string;
  email_address: string;
}

export interface EventView {
  type: 'calendar_event';
  id: string;
  name: string;
  starts_at: string;
  ends_at: string;
  all_day: boolean;
  location: string | null;
  description: string | null;
  people: (PersonView & { response: string; optional: boolean; own: boolean })[];
  tags: string[];
  /** The newest, oldest first. */
  comments: CommentView[];
}
