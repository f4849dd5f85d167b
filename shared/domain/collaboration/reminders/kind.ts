import type { NotificationEvent } from '#shared/domain/collaboration/notifications/event.ts';
import type { VisibleRecord } from '#shared/domain/collaboration/records/kind.ts';
import type { RecordType } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';

/** What a family tells about the reminders of its records. All moments are in milliseconds. */

export interface Reminder {
  account_id: string;
  record: Pick<VisibleRecord, 'type' | 'id' | 'label'>;
  event: NotificationEvent;
  at: number;
  /** Users who asked for it. Who of them sees the record is asked at delivery. */
  user_ids: string[];
  /** For the payload: how many minutes before which moment. */
  about: object;
}

/** Both ends included. */
export interface Span {
  from: number;
  to: number;
}

export interface Reminders {
  /** Within the span, the earliest first. */
  due: Reminder[];
  /** The first moment after the span at which there may be others. */
  next: number | undefined;
}

/** Of a record that is gone. */
export const noReminders: Reminders = { due: [], next: undefined };

/** The reminders of a record as it is now. */
export type FindReminders = (table: Table, id: string, span: Span) => Promise<Reminders>;

/** A port: record types with reminders. */
export interface KnowsReminders {
  reminders: Partial<Record<RecordType, FindReminders>>;
}
