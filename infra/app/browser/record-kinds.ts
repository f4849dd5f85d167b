import { contacts, deals, organizations } from './crm-kinds.ts';
import type { RecordKind } from './record-kind.ts';
import { calendar_events, files, tasks } from './work-kinds.ts';

const kinds = { contacts, organizations, deals, tasks, files, calendar_events };

/** By the name of their section, which is the path of their list. */
export const recordKinds = kinds as unknown as Record<keyof typeof kinds, RecordKind>;
