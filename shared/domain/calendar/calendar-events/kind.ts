import type { RecordKind } from '#shared/domain/collaboration/records/kind.ts';
import { eventKindBy } from './kind-by.ts';
import { findEvent } from './load.ts';

/** Every event, also an occurrence that follows from the rule of its series. */
export const eventKind: RecordKind = eventKindBy(async (table, id) => (await findEvent(table, id))?.event);
