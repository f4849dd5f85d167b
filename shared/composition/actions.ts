import type { KnowsActions } from '#shared/domain/assistant/proposals/actions/action.ts';
import { contactActions } from '#shared/domain/assistant/proposals/actions/contact-actions.ts';
import { dealActions } from '#shared/domain/assistant/proposals/actions/deal-actions.ts';
import { draftActions } from '#shared/domain/assistant/proposals/actions/draft-actions.ts';
import { eventActions } from '#shared/domain/assistant/proposals/actions/event-actions.ts';
import { organizationActions } from '#shared/domain/assistant/proposals/actions/organization-actions.ts';
import { tagActions } from '#shared/domain/assistant/proposals/actions/tag-actions.ts';
import { taskActions } from '#shared/domain/assistant/proposals/actions/task-actions.ts';
import { taggable } from './tagging.ts';

/** The actions that can be proposed, in the order in which the assistant lists them. */
export const actions: KnowsActions = {
  actions: {
    ...tagActions(taggable),
    ...contactActions,
    ...organizationActions,
    ...dealActions,
    ...taskActions,
    ...draftActions,
    ...eventActions,
  },
};
