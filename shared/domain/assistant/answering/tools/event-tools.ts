import { readEvent } from './read-event.ts';
import type { RecordTools } from './record-tools.ts';

export const eventTools: RecordTools = {
  reading: 'a calendar event with the people who are invited',
  read: readEvent,
  own: () => ({}),
};
