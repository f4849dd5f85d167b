import { deletableTypes, registered } from '#shared/domain/collaboration/records/types.ts';
import { visibility } from './visibility.ts';

/** The record types whose deletions are listed. */
export const deletable = registered(deletableTypes, visibility.records);
