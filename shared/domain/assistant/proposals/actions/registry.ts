import type { ActionType } from '../proposal.ts';
import type { Action } from './action.ts';
import { contactCreate } from './contact-create.ts';
import { contactUpdate } from './contact-update.ts';
import { tagApply } from './tag-apply.ts';
import { tagRemove } from './tag-remove.ts';

/** The actions by their types. A type that is not here cannot be proposed yet. */
const actions: Partial<Record<ActionType, Action>> = {
  'contact.create': contactCreate,
  'contact.update': contactUpdate,
  'tag.apply': tagApply,
  'tag.remove': tagRemove,
};

/** The types that can be proposed today. */
export const proposableTypes = Object.keys(actions) as [ActionType, ...ActionType[]];

export function findAction(type: ActionType): Action | undefined {
  return actions[type];
}

/** Of a proposal that exists. */
export function actionOf({ action_type }: { action_type: ActionType }): Action {
  const action = findAction(action_type);
  if (!action) throw new Error(`Nothing does ${action_type}`);
  return action;
}
