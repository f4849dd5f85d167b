import { registered, singular, targetTypes } from '#shared/domain/collaboration/records/types.ts';
import { visibility } from './visibility.ts';

/** The record types that proposals can change, in the singular. */
export const proposalTargets = registered(targetTypes, visibility.records).map(singular);
