import { historyTypes, registered } from '#shared/domain/collaboration/records/types.ts';
import { visibility } from './visibility.ts';

/** The record types whose changes are kept. */
export const withHistory = registered(historyTypes, visibility.records);
