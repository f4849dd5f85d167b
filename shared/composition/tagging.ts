import { registered, taggableTypes } from '#shared/domain/collaboration/records/types.ts';
import { visibility } from './visibility.ts';

/** The record types that can be tagged. */
export const taggable = registered(taggableTypes, visibility.records);
