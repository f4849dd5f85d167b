import type { EventDraft, StoredResponse } from '../event.ts';

/** What a file says of an event besides what a request sends (docs/specification/imports.md, "Calendar events"). */

export interface Meeting {
  ical_uid: string;
  /** Of an exception of a series: the day or the moment of the occurrence that it stands for. */
  occurrence: { on: string } | { at: string } | undefined;
  sequence: number;
  modified_at: string | null;
  /** Undefined when the file names none: then it is who imports. */
  organizer_email_address: string | undefined;
  status: 'confirmed' | 'tentative' | 'cancelled';
  /** The file only calls the meeting off. */
  cancels: boolean;
  responses: Record<string, StoredResponse>;
  /** The address of its resource, for what comes from a server and not from a file. */
  at_server?: string;
}

/** One event of a file. */
export interface ImportedEvent {
  draft: EventDraft;
  meeting: Meeting;
  /** Of the import. */
  row: string;
}
