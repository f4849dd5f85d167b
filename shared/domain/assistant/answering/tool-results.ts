import type {
  CalendarView,
  DuplicateView,
  EventRow,
  FileRow,
  FileView,
  MilestoneRow,
  MilestoneView,
  PipelineView,
  SpaceRow,
  SpaceView,
} from './other-views.ts';
import type {
  ContactRow,
  ContactView,
  DealRow,
  DealView,
  EventView,
  OrganizationRow,
  OrganizationView,
  TagView,
  TaskRow,
  TaskView,
  ThreadRow,
  ThreadView,
  UserView,
} from './views.ts';

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
