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

/** An event in a list. */
export interface EventRow {
  id: string;
  /** `busy` for a private one of somebody else. */
  name: string;
  starts_at: string;
  ends_at: string;
  all_day: boolean;
  location: string | null;
  /** The first who are invited, by name or address. */
  people: string[];
}

export interface CalendarView {
  id: string;
  name: string;
  time_zone: string;
  own: boolean;
  /** Whether the user may create events in it. */
  may_create: boolean;
}

/** A file in a list. */
export interface FileRow {
  id: string;
  name: string;
  file_name: string | null;
  content_type: string | null;
  /** Bytes. */
  size: number | null;
  source: 'upload' | 'attachment' | 'draft' | 'agent';
  created_at: string;
}

export interface FileView extends FileRow {
  type: 'file';
  description: string | null;
  /** The records that it is linked to and that the user sees. */
  about: { type: string; id: string; name: string }[];
  tags: string[];
  /** The newest, oldest first. */
  comments: CommentView[];
}

/** A space in a list. */
export interface SpaceRow {
  id: string;
  name: string;
  archived: boolean;
}

export interface SpaceView extends SpaceRow {
  type: 'space';
  description: string | null;
  /** The first that the user sees, of `contact_count`. */
  contacts: { id: string; name: string }[];
  organizations: { id: string; name: string }[];
  contact_count: number;
  organization_count: number;
  tags: string[];
  /** The newest, oldest first. */
  comments: CommentView[];
}

/** A milestone in a list. */
export interface MilestoneRow {
  id: string;
  name: string;
  status: 'open' | 'reached' | 'missed';
  due_on: string | null;
  task_count: number;
  completed_task_count: number;
}

export interface MilestoneView extends MilestoneRow {
  type: 'milestone';
  description: string | null;
  deal_id: string | null;
  space_id: string | null;
  organization_id: string | null;
  contact_id: string | null;
}

export interface PipelineView {
  id: string;
  name: string;
  currency: string | null;
  stages: { id: string; name: string; kind: 'open' | 'won' | 'lost' }[];
}

export interface DuplicateView extends ContactRow {
  /** From 0 to 1. */
  score: number;
  reasons: string[];
}

/** By tool. */
export interface ToolResults {
  /** `{type: 'thread', id}`, and so for each type of records with tools. */
  read_record:
    | ThreadView
    | ContactView
    | OrganizationView
    | DealView
    | TaskView
    | EventView
    | FileView
    | SpaceView
    | MilestoneView;
  /**
   * Newest first. `{query?, contact_id?, participant?, unread?, unresolved?, flagged?, awaiting?, last_sent_after?,
   * limit? (1 to 20)}`; `total` stops at 1,000.
   */
  search_threads: { threads: ThreadRow[]; total: number };
  /** By name or email address. `{query}` */
  search_contacts: { contacts: ContactRow[]; more: boolean };
  /** Last written first. `{query?, status?}`; 10 at most, and the number of all. */
  search_deals: { deals: DealRow[]; total: number };
  /** By name, with words of names or domains. `{query}` */
  search_organizations: { organizations: OrganizationRow[]; more: boolean };
  /**
   * By when they are due. `{query?, slice?, mine?, assigned_user_id?, contact_id?, organization_id?, deal_id?,
   * thread_id?}`; 20 at most, and the number of all up to 1,000.
   */
  search_tasks: { tasks: TaskRow[]; total: number };
  /** The likeliest first. `{contact_id}` */
  find_duplicates: { duplicates: DuplicateView[] };
  /** By when they start. `{query?, slice?, starts_after?, starts_before?, participant?, contact_id?, ...}`; 20 at most. */
  search_events: { events: EventRow[]; more: boolean };
  /** Newest first. `{query?, extension?, contact_id?, thread_id?, ...}`; 20 at most. */
  search_files: { files: FileRow[]; more: boolean };
  /** `{}` */
  list_calendars: { calendars: CalendarView[] };
  /** `{}` */
  list_spaces: { spaces: SpaceRow[] };
  /** `{}` */
  list_milestones: { milestones: MilestoneRow[] };
  /** `{}` */
  list_pipelines: { pipelines: PipelineView[] };
  /** `{}` */
  list_users: { users: UserView[] };
  /** `{}` */
  list_tags: { tags: TagView[] };
  /** Adds a block of cards to the reply. `{card_type: 'Contact' | 'Organization' | 'Thread' | 'Deal' | 'Task', ids, title?}` */
  show_cards: { shown: true };
  /** Adds a table to the reply. `{title?, columns: [{key, label, kind?}], rows: [{cells, ref?: {type, id}}]}` */
  show_table: { shown: true };
  /**
   * Adds a proposal to the reply, for a user to accept. `{action_type, params, rationale?}`, for example
   * `{action_type: 'tag.apply', params: {record_type: 'thread', record_id, tag: {name}}}`.
   */
  propose_change: { proposal_id: string; title: string };
}
