import { ToolRefused } from '#shared/domain/assistant/answering/assistant.ts';
import type { ActionType } from '#shared/domain/assistant/proposals/proposal.ts';
import { Cannot } from './cannot.ts';
import { cut } from './words.ts';
import type { Workspace } from './workspace.ts';

/** Changes are proposed, never made: a user accepts them. */
export async function propose(
  workspace: Workspace,
  action_type: ActionType,
  params: object,
  what: string,
): Promise<string> {
  const rationale = cut(`${workspace.asked.asker.name} asked for it.`, 200);
  try {
    await workspace.use('propose_change', { action_type, params, rationale });
  } catch (error) {
    if (error instanceof ToolRefused)
      throw new Cannot(`I could not propose that: ${cut(error.message, 300)}`);
    throw error;
  }
  return `I propose to ${what}. Nothing changes before you accept it.`;
}
