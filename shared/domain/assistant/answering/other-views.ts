import type { CommentView, ContactRow } from './views.ts';

/** What the tools of the assistant return of records besides those of views.ts. */

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
