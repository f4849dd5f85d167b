import { registered, singular, targetTypes } from '#shared/domain/collaboration/records/types.ts';
import { visibility } from './visibility.ts';

/** The records that proposals can change, each by the name of one. */
export const proposalTargets = registered(targetTypes, visibility.records).map(singular);
