import { targetTypes } from '#shared/domain/assistant/proposals/list.ts';
import { registered, singular } from '#shared/domain/collaboration/records/types.ts';
import { visibility } from './visibility.ts';

/** The records that proposals can change, each by the name of one. */
export const proposalTargets = registered(targetTypes, visibility.records).map(singular);
