import { commentableTypes, registered } from '#shared/domain/collaboration/records/types.ts';
import { visibility } from './visibility.ts';

/** The record types that can be commented on, and that conversations can be about. */
export const commentable = registered(commentableTypes, visibility.records);
